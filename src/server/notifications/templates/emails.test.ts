import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { describe, expect, test } from 'vitest';
import type { NotificationKind } from '#core/notifications.ts';
import type { PendingActivity } from '../../db/reports/notified-activities.ts';
import { KINDS } from '../compose.ts';
import type { Facts } from '../facts.ts';
import { withClearNames } from '../facts.ts';
import { render } from '../render.ts';
import {
  publicUrl,
  at,
  later,
  cause,
  paused,
  resumed,
  tested,
  alone,
  neverPaused,
  kept,
  gone,
  refused,
  keepsRunning,
  staysPaused,
  denied,
  held,
  token,
  takenBack,
  outage,
  second,
  subscription,
  FACTS,
  leaving,
  lower,
  unknownStatus,
  unknown,
  both,
  blocked,
  bothBlocked,
  stale,
  ended,
  disabled,
  endedBy,
  refusedWith,
  retrying,
} from '../../../../test/support/email-facts.ts';

function email(kind: NotificationKind, over: Partial<Facts>) {
  const notification = KINDS[kind].compose({ ...FACTS, ...over });
  if (notification === null) throw new Error('nothing to report');
  return render(notification, publicUrl);
}

/** The facts, what the email says, and what it does not say. */
const EMAILS: [string, NotificationKind, Partial<Facts>, string[], string[]?][] = [
  ['account lost', 'account_lost', {}, ['SmartPause had paused it, and', 'access to the ad account.']],
  ['two accounts lost', 'account_lost', { held: both }, ['paused them, and', 'access to the ad accounts.']],
  ['account blocked, none held', 'account_blocked', blocked, [], ['Still paused']],
  [
    '[FR-02] two accounts blocked',
    'account_blocked',
    { ...bothBlocked, held: both },
    ['Not protected: confirm Chen "Outdoor" and Lind in Ads Manager', '2 campaigns stay paused', 'in Lind ('],
  ],
  [
    '[FR-29, ENG-21] a refused pause that is tried again',
    'paused',
    { acts: [{ ...refused, happened: retrying('pause') }] },
    [
      'Meta refused to pause 1 campaign during high disruptions\n\nIt keeps running and spending until Meta accepts the pause.\n\nMeta says: “Two-factor required”.\n\nSmartPause tries again after 1 minute',
      `Open SmartPause: ${publicUrl}\n`,
    ],
    ['Meta refused the change'],
  ],
  [
    '[FR-29, ENG-21] a refused resume that is tried again, one that was resumed since, and one that waits',
    'resumed',
    {
      acts: [
        { ...staysPaused, happened: retrying('resume') },
        { ...resumed, happened: retrying('resume'), end: { reason: null, at: later } },
        { ...kept, happened: { event: 'postponed', facts: { until: later } } },
      ],
    },
    [
      'SmartPause resumed 1 campaign, 1 not resumed yet, 1 to be resumed later\n\nMeta refused to resume 1 campaign.\n\nMeta says: “Two-factor required”.\n\nSmartPause tries again after 1 minute',
      'we’ll email you when it is resumed. To try at once, press Retry now in SmartPause.\n\nAnother tool has 1 campaign off at this time, so SmartPause resumes it later.\n\nSmartPause stays on for 1 campaign in the next disruption. 2 campaigns are no longer protected. Turn SmartPause on for them to protect them again.\n',
      'Resumed in Chen "Outdoor" (1 campaign):\n- Spring & <Sale>: Jan 8, 2026, 11:08 PM EST (Jan 9, 04:08 UTC)\n',
      'Not resumed yet (1 campaign):\n- Autumn',
      'To be resumed later (1 campaign)',
      'another tool has it off',
    ],
  ],
  [
    '[FR-34, ENG-25] a paused campaign that another tool has off at certain hours',
    'paused',
    { acts: [{ ...paused, hasSchedule: true }] },
    [
      'we’ll email you again.\n\nAnother tool has 1 campaign off at certain hours; a resume in these hours waits until 15 minutes after them.\n\nNo action needed.\n',
    ],
  ],
  ['token stale', 'token_stale', stale, ['expires on Jan 8, 2026, 11:08 PM EST (Jan 9, 04:08 UTC)']],
  ['token refused', 'token_expired', {}, ['You can also resume it in Ads Manager']],
  ['permission taken back', 'token_expired', { token: takenBack, held: [] }, ['(ads_management)']],
  [
    'deauthorized',
    'deauthorized',
    { user: leaving('deauthorize'), acts: [resumed, { ...resumed, id: '2' }, alone], subscription },
    ['You removed SmartPause', 'Resumed in Chen "Outdoor" (1', 'Already running (1', 'can still be charged'],
  ],
  [
    'deleted',
    'deleted',
    {
      ...{ user: leaving('delete'), subscription, confirmationCode: 'ABC123' },
      acts: [{ ...alone, happened: endedBy('access_lost') }],
    },
    ['Please check 1 campaign in Ads Manager', 'ABC123', 'ended with your account', 'won’t be charged again'],
    ['Not resumed'],
  ],
  [
    'deleted after the subscription was over',
    'deleted',
    { user: leaving('delete'), subscription: { ...subscription, status: 'canceled', currentPeriodEnd: at } },
    ['Your Stripe customer record is deleted.'],
    ['ended with your account'],
  ],
  [
    'the pause: status, campaigns and what comes next',
    'paused',
    { unfinished: 2 },
    [
      'high disruptions\n\nWhen the disruption drops below your threshold',
      '⬣ High disruption: Meta reports high disruptions in its ad services since Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC). Your threshold is medium.',
      'Paused in Chen "Outdoor" (1 campaign):\n- Spring & <Sale>: Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)',
      '2 more campaigns are not paused yet',
      'resumes exactly this campaign at the next 12:01 AM EST (Jan 9, 05:01 UTC, at the earliest), and',
      'To run it sooner, press Resume now in SmartPause. It stays protected for the next outage.',
    ],
    ['still run'],
  ],
  [
    'a pause in the second of two outages',
    'paused',
    { acts: [{ ...paused, cause: { ...cause, decidedAt: later } }], outages: [outage, second] },
    ['ad services since Jan 8, 2026, 11:08 PM EST', `${publicUrl}/activity\n`],
  ],
  ['a pause outside of an outage', 'paused', { outages: [] }, [`${publicUrl}/activity\n`]],
  [
    'a resume that is scheduled',
    'paused',
    { status: { ...ended, matchSince: { LOW: at, MEDIUM: at, HIGH: at } } },
    [
      'below your threshold. SmartPause resumes exactly this campaign on Jan 9, 2026, 12:01 AM EST (05:01 UTC)',
    ],
  ],
  ['a user who leaves', 'paused', { user: leaving('delete') }, ['You asked us to', 'this campaign now']],
  [
    'one of two is held',
    'paused',
    { acts: [paused, { ...paused, campaignId: '2', isHeld: false, end: { reason: null, at: later } }] },
    [
      'SmartPause resumes the 1 campaign still paused at',
      '(2 campaigns):\nJan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)\n- Spring & <Sale>\n- Spring & <Sale>: resumed Jan 8, 2026, 11:08 PM EST',
    ],
    ['exactly'],
  ],
  [
    '[FR-02] of three, Meta denies access to one and refuses changes of another',
    'paused',
    { acts: [paused, denied, { ...paused, campaignId: '3', isBlocked: true }] },
    [
      'SmartPause resumes 1 of these campaigns at',
      'Meta denies SmartPause access to 1 paused campaign.',
      'Meta refuses our changes to 1 paused campaign until',
    ],
    ['No action needed'],
  ],
  [
    '[FR-01] a refused pause, with Meta’s own words',
    'paused',
    { acts: [paused, refused] },
    [
      'SmartPause paused 1 campaign: Meta reports',
      'Not paused (1 campaign)',
      'because Meta refused the change: Campaign has ended',
    ],
  ],
  [
    '[FR-01] all refused',
    'paused',
    { acts: [refused] },
    ['Meta refused to pause 1 campaign during high disruptions\n'],
    ['resumes'],
  ],
  [
    'the resume: duration, and what was not resumed',
    'resumed',
    { acts: [resumed, alone, neverPaused, kept, gone], unfinished: 1, status: ended },
    [
      'SmartPause resumed 1 campaign, 1 not resumed, 2 already running, 1 kept paused',
      'the disruption is over',
      '1 kept paused\n\nSmartPause stays on for 1 campaign in the next disruption. 3 campaigns are no longer protected. Turn SmartPause on for them to protect them again.\n',
      'Outage: Jan 8, 2026, 9:10 PM EST to 11:08 PM EST (Jan 9, 02:10 to 04:08 UTC)\nDuration: 1 h 58 min\nPeak: high disruptions',
      'Not resumed (1 campaign):\n- Winter',
      'Already running (2 campaigns):\nChen "Outdoor", Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)\n- Autumn: it was already running again',
      '1 more campaign is not resumed yet',
    ],
  ],
  [
    'late writes that could not be undone',
    'resumed',
    { acts: [keepsRunning, staysPaused] },
    [
      'SmartPause did not resume 1 campaign, 1 not paused again\n',
      'it stays paused: Meta applied our earlier pause late and refused to undo it: Too many\n',
      'Not paused again (1 campaign):\n- Autumn: Chen "Outdoor", Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC): it stays active: Meta applied our earlier resume late and it could not be undone\n',
      'SmartPause does not try again to resume 1 campaign.',
    ],
  ],
  [
    'a resume, and another disruption',
    'resumed',
    { acts: [resumed] },
    [
      'resumed 1 campaign\n\nNo action needed. SmartPause stays on for it in the next disruption.\n',
      'High disruption: your threshold is met.',
      'Duration: 1 h 58 min',
    ],
    ['is over', 'Resumed ('],
  ],
  [
    'a campaign that is kept paused, while the status is unknown',
    'resumed',
    { acts: [kept], status: unknownStatus },
    ['1 campaign stays paused\n', 'Unknown: we can’t read Meta’s status right now.', 'Kept paused (1'],
    ['is over', 'not resume'],
  ],
  [
    'a smaller disruption that goes on',
    'resumed',
    { acts: [alone], outages: [{ ...outage, endedAt: null }], status: lower },
    [
      'did not need to resume 1 campaign',
      'below your threshold now.',
      '9:10 PM EST (Jan 9, 02:10 UTC), still ongoing\nPeak',
    ],
    ['is over', 'Duration'],
  ],
  [
    'two external changes, one on again',
    'disabled',
    { acts: [{ ...alone, ...disabled, isOn: true }, alone] },
    [
      'SmartPause was disabled for 2 campaigns',
      'won’t pause the 1 campaign that is still off',
      'Chen "Outdoor", Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC): it was already running again\n- Autumn\n- Winter: SmartPause has been turned on again',
    ],
  ],
  ['a deleted campaign', 'disabled', { acts: [gone] }, ['was disabled'], ['To protect']],
  [
    'an hour of UNKNOWN',
    'unknown',
    unknown,
    [
      'haven’t been able to read Meta’s status page since Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)',
      '1 campaign stays paused',
      'SmartPause resumes it and',
      'To run it sooner, press Resume now',
    ],
    ['denies'],
  ],
  [
    'an hour of UNKNOWN without access to one of two',
    'unknown',
    { ...unknown, held: [held, { ...held, isReachable: false }] },
    [
      '2 campaigns stay paused',
      'SmartPause resumes 1 of them',
      'Meta denies SmartPause access to 1 paused campaign',
    ],
  ],
  [
    'an hour of UNKNOWN without access',
    'unknown',
    { ...unknown, held: [{ ...held, isReachable: false }] },
    ['Meta denies SmartPause access to 1 paused campaign'],
    ['SmartPause resumes', 'Resume now'],
  ],
  [
    '[TEST-02] a live test',
    'live_test',
    {
      unfinished: 1,
      acts: [
        tested,
        {
          ...tested,
          message: 'Test: did not resume {campaigns}',
          detail: 'it was resumed outside SmartPause',
        },
      ],
    },
    [
      'There was no outage.',
      'The test isn’t over yet',
      'What happened:\nChen "Outdoor", Jan 8, 2026, 9:10 PM EST (Jan 9, 02:10 UTC)\n- paused “Spring & <Sale>”\n- did not resume “Spring & <Sale>”: it was resumed outside SmartPause\n',
    ],
  ],
];

/** The text that a user reads in the HTML. */
function readable(html: string): string {
  const words = html.replace(/<style>.*?<\/style>/gs, '').replace(/<[^>]+>/g, ' ');
  return words.replace(
    /&(lt|gt|quot|amp);/g,
    (_all, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&',
  );
}

/** Removes what only one of the forms needs: bullets, brackets, colons. */
function labelOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

describe.each(EMAILS)('[ENG-13] an email: %s', (_title, kind, over, wanted, unwanted = []) => {
  const { subject, text, html } = email(kind, over);

  test('says what is true, has no undefined value, and a zone with every time', () => {
    for (const words of wanted) expect(text).toContain(words);
    for (const words of unwanted) expect(text).not.toContain(words);
    expect(subject.length).toBeLessThan(120);
    expect(text + html).not.toMatch(/undefined|null|NaN|Infinity|Invalid|\[object/);
    for (const [, zone] of text.matchAll(/\d:\d\d [AP]M(.{4})/g)) expect(zone).toBe(' EST');
  });

  test('has the same content in both forms, escaped', () => {
    const shown = labelOf(readable(html));
    for (const line of text.split('\n')) {
      const [address] = /https:\S+/.exec(line) ?? [];
      expect(shown).toContain(labelOf(line.replace(address ?? '', '')));
      if (address !== undefined) expect(html).toContain(`href="${address}"`);
    }
    expect(html).not.toContain('<Sale>');
  });
});

test('[FR-22] every link leads to one of four pages, which outbox.test.ts opens', () => {
  const links = EMAILS.flatMap(([, kind, over]) => {
    const { text, html } = email(kind, over);
    return [...text.matchAll(/https:\S+/g), ...html.matchAll(/(?<=href=")[^"]+/g)].map(([link]) => link);
  });
  const pages = ['', '/activity', '/activity/12', '/auth/facebook'].map((path) => publicUrl + path);
  expect([...new Set(links)].toSorted()).toEqual(pages);
});

test.each<[Partial<PendingActivity>, string]>([
  [{ message: 'Test: resumed {campaigns}' }, 'Test: resumed “Spring & <Sale>”'],
  [
    { message: 'Test: kept {campaigns} paused for you', detail: 'it is paused for a live test' },
    'Test: kept “Spring & <Sale>” paused for you: it is paused for a live test',
  ],
  [{ campaignId: '2' }, 'Test: tested 2 campaigns'],
])('[TEST-02, ENG-13] the subject of a live test that ends with %j', (last, subject) => {
  expect(email('live_test', { acts: [tested, { ...resumed, ...last }] }).subject).toBe(subject);
});

test.each<[NotificationKind, Partial<Facts>]>([
  [
    'unknown',
    { ...unknown, held: [{ ...held, threshold: 'HIGH' }], status: { ...unknownStatus, known: 'UP' } },
  ],
  ['unknown', { ...unknown, status: { ...unknownStatus, since: at + 1 } }],
  ['account_lost', { held: [{ ...held, isAccountLost: false }] }],
  ['account_blocked', {}],
  ['token_stale', { ...stale, acts: [paused] }],
  ['token_stale', { ...stale, token }],
  ['token_stale', { ...stale, now: later }],
  ['token_expired', { token: { ...token, rejectedAt: null } }],
  ['token_expired', { lastAt: at }],
])('[ENG-13] no email %s about what is no longer true', (kind, over) => {
  expect(KINDS[kind].compose({ ...FACTS, ...over })).toBeNull();
});

const NAME = `Sale\r\nBcc: x@example.com 🎉\u202Eevil\u2028${'Ж'.repeat(400)}`;
const given = { name: NAME, account: NAME, detail: NAME };
test.each(EMAILS)('[FR-23] names and Meta’s words cannot change an email: %s', async (_title, kind, over) => {
  const acts = withClearNames(
    (over.acts ?? [paused]).map((act) => ({ ...act, ...given, happened: refusedWith(NAME, act.happened) })),
  );
  const content = email(kind, { ...over, acts, held: withClearNames([{ ...held, ...given }]) });
  const message = new MailComposer({ ...content, from: 'a@example.com', to: 'b@example.com' });
  const source = await message.compile().build();
  const lines = source.toString('latin1').split('\r\n');
  const headers = lines.slice(0, lines.indexOf(''));
  expect(headers.filter((line) => /^(subject|bcc):/i.test(line))).toHaveLength(1);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(998);
  for (const words of Object.values(content)) expect(words).not.toMatch(/\p{Bidi_Control}|\u2028|\r|^Bcc/mu);
  expect(content.text).not.toContain('Ж'.repeat(300));
});
