import { describe, expect, test } from 'vitest';
import type { CastCampaign, Kind } from '../../scripts/kill/cast.ts';
import type { Evidence } from '../../scripts/kill/evidence.ts';
import { judge } from '../../scripts/kill/judge.ts';
import type { PlatformWrite } from '../../scripts/outside/control-door.ts';

const START = Date.parse('2026-01-09T02:00:00Z');
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const ANN = { index: 0, email: 'ann@example.com', threshold: 'MEDIUM', delayMs: 0 } as const;

function campaign(kind: Kind): CastCampaign {
  const [id, name, account, accountName] = ['1', 'Spring Sale', 'act_1', 'Account 1'];
  return { id, name, account, accountName, kind, watchers: [ANN] };
}

function write(seconds: number, status: 'PAUSED' | 'ACTIVE', by: 'us' | 'hand' = 'us'): PlatformWrite {
  const previous = status === 'PAUSED' ? 'ACTIVE' : 'PAUSED';
  const token_user = by === 'us' ? '7' : null;
  return { at: at(seconds), campaign: '1', account: 'act_1', status, previous, token_user };
}

function activity(event: string): Evidence['exports'][number]['activities'][number] {
  const about = { adAccountId: 'act_1', campaignId: '1', reason: null, actor: 'smartpause' };
  return { at: at(15), event, ...about };
}

function logged(event: string): NonNullable<Evidence['events']>[number] {
  return { to: ANN.email, account: 'act_1', campaign: '1', event, mail: event };
}

function mail(n: number, verb: string): Evidence['mails'][number] {
  const text = `${verb} in Account 1 (1 campaign):\n- Spring Sale: then\n`;
  const of = { author: '', subject: verb, headers: {}, html: null, user: null, size: 1 };
  return { n, at: at(20), from: 'x', to: [ANN.email], messageId: `<${verb}>`, text, ...of };
}

/** One disruption from second 10 to second 30: paused, resumed, told. */
function flawless(kind: Kind = 'watched'): Evidence {
  return {
    campaigns: [campaign(kind)],
    people: [ANN],
    writes: [write(11, 'PAUSED'), write(31, 'ACTIVE')],
    finalStatus: new Map([['1', 'ACTIVE']]),
    exports: [{ holds: [], activities: [activity('paused'), activity('resumed')], emails: [] }],
    mails: [mail(1, 'Paused'), mail(2, 'Resumed')],
    events: [logged('paused'), logged('resumed')],
    log: 'all is well',
    secrets: ['hush-hush'],
    unexpectedEnds: [],
    story: {
      flips: [
        { level: 'High disruptions', at: START + 10_000, knownAt: START + 10_500 },
        { level: 'Resolved', at: START + 30_000, knownAt: START + 30_500 },
      ],
      hands: [],
      presses: [],
      faults: 0,
      clockJumped: false,
    },
  };
}

describe('the verdict', () => {
  test('finds nothing where nothing is wrong', () => {
    expect(judge(flawless()).broken).toEqual([]);
  });

  const hold = { campaignId: '1', state: 'ended', outcome: 'resumed', reason: null };
  test.each<[string, (good: Evidence) => Evidence, RegExp]>([
    ['a campaign touched that is off', () => flawless('off'), /touched/],
    [
      'resumed what a hand had paused',
      (good) => ({ ...good, writes: [write(11, 'PAUSED', 'hand'), write(31, 'ACTIVE')] }),
      /paused by hand/,
    ],
    [
      'a hand overruled',
      (good) => ({
        ...good,
        story: { ...good.story, hands: [{ campaign: '1', status: 'PAUSED', at: START + 5000, until: null }] },
      }),
      /by hand .* by us/,
    ],
    [
      'touched although it was off',
      (good) => {
        const [askedAt, answeredAt] = [START, START + 100];
        const press = { campaign: '1', what: 'off', askedAt, answeredAt, status: 200 } as const;
        return { ...good, story: { ...good.story, presses: [press] } };
      },
      /which was off/,
    ],
    [
      'resumed while the disruption went on',
      (good) => ({ ...good, writes: [write(11, 'PAUSED'), write(20, 'ACTIVE')] }),
      /against the status/,
    ],
    [
      'paused when all was well',
      (good) => ({ ...good, writes: [write(5, 'PAUSED'), write(31, 'ACTIVE')] }),
      /against the status/,
    ],
    ['left paused', (good) => ({ ...good, finalStatus: new Map([['1', 'PAUSED']]) }), /is left PAUSED/],
    [
      'still held',
      (good) => ({
        ...good,
        exports: good.exports.map((one) => ({
          ...one,
          holds: [{ ...hold, beganAt: at(11), endedAt: null }],
        })),
      }),
      /still held/,
    ],
    [
      'held twice at a time',
      (good) => ({
        ...good,
        exports: good.exports.map((one) => ({
          ...one,
          holds: [
            { ...hold, beganAt: at(11), endedAt: at(31) },
            { ...hold, beganAt: at(12), endedAt: at(32) },
          ],
        })),
      }),
      /held twice/,
    ],
    [
      'an act without an activity',
      (good) => ({
        ...good,
        exports: good.exports.map((one) => ({ ...one, activities: one.activities.slice(1) })),
      }),
      /1 times PAUSED, 0 activities/,
    ],
    ['an act in no mail', (good) => ({ ...good, mails: good.mails.slice(1) }), /1 'paused', told in mails 0/],
    [
      'an act in two mails',
      (good) => ({ ...good, mails: [...good.mails, { ...mail(3, 'Paused'), messageId: '<other>' }] }),
      /told in mails 2/,
    ],
    [
      'an act that its mail does not list, beside another in another mail',
      (good) => ({
        ...good,
        exports: good.exports.map((one) => ({
          ...one,
          activities: [...one.activities, activity('paused')],
        })),
        events: [...good.events, { ...logged('paused'), mail: 'another' }],
      }),
      /2 'paused', told in mails 1 times/,
    ],
    ['a secret in the log', (good) => ({ ...good, log: 'psst: hush-hush' }), /a secret/],
    [
      'a process that ended by itself',
      (good) => ({ ...good, unexpectedEnds: [{ code: 1, signal: null, lastLines: ['oh'] }] }),
      /ended by itself/,
    ],
  ])('finds %s', (_title, spoil, complaint) => {
    expect(judge(spoil(flawless())).broken.join('\n')).toMatch(complaint);
  });

  test('a campaign that was paused twice before its mail was sent is listed in it once', () => {
    const good = flawless();
    const exports = good.exports.map((one) => ({
      ...one,
      activities: [activity('paused'), ...one.activities],
    }));
    const twice = {
      ...good,
      writes: [write(11, 'PAUSED'), write(12, 'ACTIVE', 'hand'), write(13, 'PAUSED'), write(31, 'ACTIVE')],
      exports,
      events: [logged('paused'), ...good.events],
    };
    expect(judge(twice).broken.filter((one) => one.includes('told'))).toEqual([]);
  });

  test('the same mail arriving once more tells nothing twice', () => {
    const good = flawless();
    const { broken, counts } = judge({ ...good, mails: [...good.mails, ...good.mails] });
    expect(broken).toEqual([]);
    expect(counts).toMatchObject({ mails: 2, mailsTwice: 2 });
  });
});
