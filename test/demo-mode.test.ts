import { expect, test } from 'vitest';
import { demoBanner } from '../scripts/demo-mode/banner.ts';
import type { ReplayFacts } from '../scripts/demo-mode/story.ts';
import { storyOf } from '../scripts/demo-mode/story.ts';
import { missingServices } from '../scripts/simulator-clients/simulators.ts';
import { startMailbox } from '../simulators/mailbox/server.ts';
import { day } from '../simulators/stripe/pages.ts';

const START = Date.parse('2026-01-09T02:10:00Z');
const END = START + 30_000;
const OURS = '1000000000000001';

const write = (campaign: string, status: string, afterMs: number, token_user: string | null = OURS) => ({
  at: new Date(START + afterMs).toISOString(),
  ...{ campaign, account: 'act_1', status, token_user },
  previous: status === 'PAUSED' ? 'ACTIVE' : 'PAUSED',
});
const names = new Map([
  [OURS, 'Nora'],
  ['2', 'Maya'],
]);
const facts: ReplayFacts = { startsAt: START, endsAt: END, now: END - 1, writes: [], names };
const told = (given: Partial<ReplayFacts>) => storyOf({ ...facts, ...given }).map(({ text }) => text);

const REPORTED = 'Meta’s status page reports: High disruptions.';
const OVER = 'Meta’s status page reports that the disruption is over.';
const PAUSED =
  'SmartPause paused 2 campaigns in 1 ad account of Nora, the last one 1.5 s after the report. Activity counts from when SmartPause read it.';
const RESUMED = 'SmartPause resumed 2 campaigns in 1 ad account of Nora.';
const pauses = [write('1', 'PAUSED', 1000), write('2', 'PAUSED', 1500)];

test.each<[string, Partial<ReplayFacts>, string[]]>([
  ['nothing has begun', { now: START - 1 }, []],
  ['the report alone', {}, [REPORTED]],
  ['pauses', { writes: pauses }, [REPORTED, PAUSED]],
  ['writes from before do not count', { writes: [write('1', 'PAUSED', -1)] }, [REPORTED]],
  [
    'each advertiser has their own lines, also for campaigns that another user resumes',
    {
      now: END + 5000,
      writes: [
        ...pauses,
        ...[write('8', 'PAUSED', 2000, '2'), write('9', 'PAUSED', 2500, '2')],
        ...['1', '2', '8'].map((id) => write(id, 'ACTIVE', 31_000)),
      ],
    },
    [
      ...[REPORTED, PAUSED, PAUSED.replace('Nora', 'Maya').replace('1.5', '2.5'), OVER, RESUMED],
      'SmartPause resumed 1 campaign in 1 ad account of Maya.',
      '1 campaign of Maya still paused, until the time that Settings name.',
    ],
  ],
  [
    'a repeated write changes nothing',
    { writes: [...pauses, { ...write('2', 'PAUSED', 2000), previous: 'PAUSED' }] },
    [REPORTED, PAUSED],
  ],
  [
    'a change in Ads Manager is not ours',
    { writes: [...pauses, write('3', 'PAUSED', 3000, null)] },
    [REPORTED, PAUSED],
  ],
  [
    'a manual pause after the outage, and its Undo',
    {
      now: END + 9000,
      writes: [
        ...pauses,
        ...['1', '2'].map((id) => write(id, 'ACTIVE', 31_000)),
        ...[write('3', 'PAUSED', 35_000), write('3', 'ACTIVE', 36_000)],
      ],
    },
    [REPORTED, PAUSED, OVER, RESUMED],
  ],
  [
    'one is paused twice in the outage',
    {
      now: END + 5000,
      writes: [write('2', 'PAUSED', 800), write('2', 'ACTIVE', 900), ...pauses, write('1', 'ACTIVE', 31_000)],
    },
    [
      ...[REPORTED, PAUSED, OVER, 'SmartPause resumed 1 campaign in 1 ad account of Nora.'],
      '1 campaign of Nora still paused, until the time that Settings name.',
    ],
  ],
  [
    'one is still paused',
    { now: END + 5000, writes: [...pauses, write('2', 'ACTIVE', 31_000)] },
    [
      ...[REPORTED, PAUSED, OVER, 'SmartPause resumed 1 campaign in 1 ad account of Nora.'],
      '1 campaign of Nora still paused, until the time that Settings name.',
    ],
  ],
  [
    'all are resumed',
    { now: END + 5000, writes: [...pauses, write('1', 'ACTIVE', 31_000), write('2', 'ACTIVE', 31_000)] },
    [REPORTED, PAUSED, OVER, RESUMED],
  ],
])('[DEMO-01] the story of a replay: %s', (_title, given, expected) => {
  expect(told(given)).toEqual(expected);
});

test('[DEMO-01] the story of a replay ends with its own resumes: a later outage has others', () => {
  const both = (status: string, afterMs: number) => ['1', '2'].map((id) => write(id, status, afterMs));
  const [resumes, secondOutage] = [
    both('ACTIVE', 31_000),
    [...both('PAUSED', 60_000), ...both('ACTIVE', 90_000)],
  ];
  const first = { ...facts, now: END + 100_000, writes: [...pauses, ...resumes] };
  expect(storyOf(first).at(-1)).toEqual({ at: START + 31_000, text: RESUMED });
  expect(storyOf({ ...first, writes: [...first.writes, ...secondOutage] })).toEqual(storyOf(first));
});

test('the banner names the replaced services, and links their control pages', () => {
  const text = (banner: string) => banner.replaceAll(/<[^>]*>/g, '');
  const banner = demoBanner(
    new Map([
      ['meta-graph', 'http://127.0.0.1:1'],
      ['meta-status', 'http://127.0.0.1:2'],
      ['mailbox', 'http://127.0.0.1:3'],
      ['stripe', 'http://127.0.0.1:4'],
      ['channels', 'http://127.0.0.1:5'],
    ]),
  );
  expect(text(banner)).toBe(
    'Demo mode: Meta, Meta’s status page, email, Stripe and webhooks are simulated on this machine.',
  );
  expect(banner).toContain('<a href="http://127.0.0.1:3/_sim" target="_blank" rel="noreferrer">email</a>');
  const alone = demoBanner(new Map([['stripe', 'http://127.0.0.1:4']]));
  expect(text(alone)).toContain('Stripe is simulated on this machine.');
  expect(demoBanner(new Map())).toBe('');
});

test('the mailbox shows when an email was written, in New York, and to whom', async () => {
  const mailbox = await startMailbox();
  const source = 'Date: Fri, 09 Jan 2026 02:10:00 +0000\r\nSubject: Paused\r\n\r\nText';
  await mailbox.mails.add({ from: 'a@example.com', to: ['b@example.com'], source: Buffer.from(source) });
  for (const path of ['/_sim', '/mail/1']) {
    const page = await (await fetch(mailbox.url + path)).text();
    expect(page).toMatch(/to b@example\.com.*Jan 8, 2026, 9:10\sPM EST/is);
  }
  await mailbox.close();
});

test('Stripe shows a date as SmartPause does, in New York', () => {
  expect(day(START / 1000)).toBe('January 8, 2026');
});

test.each([
  [[], 'meta-graph meta-status mailbox stripe channels'],
  [['META_APP_ID'], 'mailbox stripe'],
  [['META_DIALOG_URL'], 'mailbox stripe'],
  [['META_STATUS_URL'], 'meta-graph mailbox stripe channels'],
  [['SMTP_URL', 'STRIPE_SECRET_KEY'], 'meta-graph meta-status channels'],
  [['ALLOWED_WEBHOOK_ADDRESSES'], 'meta-graph meta-status mailbox stripe'],
])('with %j configured, the others are simulated', (names, simulated) => {
  const environment = Object.fromEntries(names.map((name) => [name, 'given']));
  expect(missingServices({ STRIPE_SECRET_KEY: '', ...environment }).join(' ')).toBe(simulated);
});
