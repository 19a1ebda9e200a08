import { describe, expect, test } from 'vitest';
import {
  DUE,
  HOLDER,
  HOLD,
  NOW,
  WRITE,
  decide,
  pausing,
  refused,
  resuming,
  short,
  unanswered,
} from '../../../test/support/decision.ts';
import { days, hours, minutes } from '../time.ts';
import { afterAnswer } from './decide-campaign.ts';
import type { CampaignWrite } from './hold.ts';
import { isGivenUp, isNotResumed, oneRetryAtATime, refusedWith, refusedWrite } from './refusals.ts';

const open = (over: Partial<CampaignWrite> = {}): CampaignWrite => ({
  ...WRITE,
  ...{ target: 'ACTIVE', state: 'open', confirmed: null },
  ...over,
});

/** When a write that is refused each time is tried, until its last try; at most some times. */
function triesOf(target: 'ACTIVE' | 'PAUSED', isFinal: (index: number) => boolean, most: number): number[] {
  const tries: number[] = [];
  let write = open({ target });
  for (let at = 0; tries.length < most && !isGivenUp(write); at = write.retryAt ?? at) {
    write = refusedWrite(write, isFinal(tries.length), at);
    tries.push(at);
  }
  return tries;
}

describe('[FR-29, ENG-21] when a refused write is tried again', () => {
  test('after 1 minute, 10 minutes, and then every hour', () => {
    const tries = triesOf('ACTIVE', () => false, 5);
    expect(tries).toEqual([0, 1, 11, 71, 131].map(minutes));
  });

  test('a resume for seven days of tries', () => {
    const tries = triesOf('ACTIVE', () => false, 1000);
    expect(tries.at(-1)).toBeGreaterThanOrEqual(days(7));
    expect(tries.at(-1)).toBeLessThan(days(7) + hours(1));
  });

  test('a pause as long as it is wanted', () =>
    expect(triesOf('PAUSED', () => false, 500)).toHaveLength(500));

  test.each([
    ['a minute', 1, NOW + 30_000, [1, NOW + 30_000]],
    ['an hour', 5, NOW + minutes(40), [5, NOW + minutes(40)]],
    ['nothing, as it is due', 5, NOW, [6, NOW + hours(1)]],
  ])(
    'a try that its user asks for does not cost the wait: %s',
    (_title, refusals, plannedRetryAt, expected) => {
      const given = { hold: { ...resuming, refusal: 'Too many' }, write: open({ refusals, plannedRetryAt }) };
      const after = afterAnswer({ ...given, earlierUntil: null }, 'refused', {
        now: NOW,
        holder: HOLDER,
        retryAt: NOW,
      });
      expect([after.write?.refusals, after.write?.retryAt]).toEqual(expected);
      expect(after).toMatchObject({ write: { plannedRetryAt: null }, reports: ['retry_failed'] });
    },
  );

  test('a final refusal of such a try counts, and is looked at again in a minute', () => {
    const write = refusedWrite(open({ refusals: 5, plannedRetryAt: NOW + hours(1) }), true, NOW);
    expect(write).toMatchObject({ refusals: 6, finalRefusals: 1, retryAt: NOW + minutes(1) });
  });

  test.each([
    ['done', 'done', null, ['resumed']],
    ['without an answer', 'unanswered', NOW + 5000, []],
    ['not carried out', 'not_done', NOW + 5000, ['retry_failed']],
  ] as const)('such a try that is %s leaves no time of its own', (_title, answer, retryAt, reports) => {
    const write = { ...unanswered('ACTIVE'), refusals: 2, plannedRetryAt: NOW + hours(1) };
    const given = { hold: resuming, write, earlierUntil: null };
    const after = afterAnswer(given, answer, { now: NOW, holder: HOLDER, retryAt: NOW + 5000 });
    expect(after).toMatchObject({ write: { retryAt, plannedRetryAt: null }, reports });
  });

  test.each([
    ['each time', () => true, [0, 1]],
    ['the third time', (index: number) => index >= 2, [0, 1, 11, 12]],
    ['not twice in succession', (index: number) => index === 0, [0, 1, 11, 71, 131, 191]],
  ])('for a final reason %s: twice, a minute apart', (_title, isFinal, expected) => {
    expect(triesOf('PAUSED', isFinal, 6)).toEqual(expected.map(minutes));
  });

  test.each([
    [
      'a pause that is not wanted any more ends as not needed',
      { ...pausing, state: 'cancelling' },
      'PAUSED',
      'not_needed, not_needed',
    ],
    ['a resume goes on', resuming, 'ACTIVE', 'resuming, sends ACTIVE'],
  ] as const)('%s', (_title, hold, target, expected) => {
    const write = { ...refused(target, 9), finalRefusals: 0 };
    const actual = target === 'ACTIVE' ? 'PAUSED' : 'ACTIVE';
    expect(
      short({ hold, write, actual, holder: DUE, log: [{ at: HOLD.readAt, isOurs: true, to: 'PAUSED' }] }),
    ).toBe(expected);
  });

  test('a resume that waits for its next try no longer waits for another tool', () => {
    const hold = { ...resuming, postponedUntil: NOW - minutes(1) };
    const write = { ...refused('ACTIVE', 1), retryAt: NOW + minutes(9) };
    const change = decide({ hold, write, actual: 'PAUSED', holder: DUE });
    expect(change).toMatchObject({ hold: { postponedUntil: null }, send: null });
  });

  test('the resume of a campaign that a new match keeps paused is tried at once', () => {
    const write = { ...refused('ACTIVE', 9), finalRefusals: 0, retryAt: NOW + hours(1) };
    const { hold, write: kept } = decide({ hold: resuming, write, actual: 'PAUSED' });
    expect([hold?.state, kept?.state]).toEqual(['paused', 'cancelled']);
  });
});

describe('[FR-02, FR-29] one write per ad account at a time', () => {
  const due = (id: string, over: Partial<CampaignWrite> = {}) => ({
    id,
    send: 'ACTIVE' as const,
    write: open(over),
  });
  const isRefused = ({ refusals }: CampaignWrite) => refusals > 0;
  const chosen = (all: ReturnType<typeof due>[]) => oneRetryAtATime(all, isRefused).map(({ id }) => id);

  test('by turns, beside all that Meta has not refused', () => {
    const at = (refusals: number) => chosen([due('a', { refusals }), due('new'), due('b', { refusals })]);
    expect([1, 2, 3].map(at)).toEqual([
      ['new', 'b'],
      ['a', 'new'],
      ['new', 'b'],
    ]);
  });

  test.each([{ origin: 'manual' as const }, { plannedRetryAt: NOW }])('a button goes first: %j', (asked) => {
    const all = [due('a', { refusals: 1 }), due('b', { refusals: 2, ...asked }), due('c', { refusals: 3 })];
    expect(chosen(all)).toEqual(['b']);
  });

  test('‘Retry now’ goes before a manual change, which may be one of many', () => {
    const asked = due('retry', { refusals: 1, plannedRetryAt: NOW });
    expect(chosen([due('manual', { refusals: 1, origin: 'manual' }), asked])).toEqual(['retry']);
  });

  test('a refused one stands for those that were due with it, of the same user', () => {
    const others = [
      open({ refusals: 1, retryAt: NOW - 1 }),
      open({ refusals: 1, retryAt: NOW + 1 }),
      open({ refusals: 1, retryAt: NOW - 1, requestedBy: 'b' }),
      open({ refusals: 1, retryAt: NOW - 1, finalRefusals: 1 }),
      open({ refusals: 1, retryAt: NOW - 1, unansweredUntil: NOW + 5 }),
      open({ refusals: 0 }),
      open({ refusals: 1, state: 'done' }),
    ];
    const tried = open({ refusals: 2, retryAt: NOW + minutes(10) });
    expect(refusedWith(tried, others, NOW)).toEqual([
      { ...others[0], refusals: 2, retryAt: NOW + minutes(10) },
    ]);
  });
});

describe('the first refusal', () => {
  const told = { ...pausing, refusal: 'Too many' };
  test.each([
    ['the first time', pausing, {}, ['retrying']],
    ['the second time', told, { refusals: 1 }, []],
    ['after a final refusal', told, { refusals: 1, finalRefusals: 1 }, ['retrying']],
    ['the pause of a live test', { ...pausing, testUntil: NOW }, { origin: 'test' }, []],
    [
      'the resume of a live test',
      { ...resuming, testUntil: NOW },
      { origin: 'test', target: 'ACTIVE' },
      ['retrying'],
    ],
    ['the restoring of an external change', null, { origin: 'restore' }, []],
  ] as const)('[FR-29, ENG-21] refused, %s: which activity there is', (_title, hold, over, reports) => {
    const given = { hold, write: { ...unanswered('PAUSED'), ...over }, earlierUntil: null };
    expect(afterAnswer(given, 'refused', { now: NOW, holder: HOLDER, retryAt: NOW }).reports).toEqual(
      reports,
    );
  });
});

const ended = {
  campaignId: 'c',
  at: NOW,
  confirmedAt: NOW - hours(2),
  changedOutsideAt: null,
  turnedAt: NOW,
};
test.each<[string, Partial<Parameters<typeof isNotResumed>[0]>, number, boolean]>([
  ['nothing has changed since', {}, NOW + 1, true],
  ['it is 7 days ago', {}, NOW + days(7), false],
  ['it is almost 7 days ago', {}, NOW + days(7) - 1, true],
  ['SmartPause has changed the campaign since', { confirmedAt: NOW + 1 }, NOW + 2, false],
  ['someone else has changed the campaign since', { changedOutsideAt: NOW + 1 }, NOW + 2, false],
  ['its user has turned SmartPause on or off since', { turnedAt: NOW + 1 }, NOW + 2, false],
  ['SmartPause was never turned on', { turnedAt: null, confirmedAt: null }, NOW + 1, true],
  ['the campaign has ended', { stopTime: NOW + 1 }, NOW + 1, false],
  ['the campaign ends later', { stopTime: NOW + 2 }, NOW + 1, true],
])('[FR-29, UX-20] whether a refused resume is still owed: %s', (_title, over, now, expected) => {
  expect(isNotResumed({ ...ended, ...over }, now)).toBe(expected);
});
