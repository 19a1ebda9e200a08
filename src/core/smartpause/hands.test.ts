import { expect, test } from 'vitest';
import type { LiveStatus } from './hold.ts';
import { LATE_WRITE_MS } from './hold.ts';
import type { StatusChange } from './hands.ts';
import { CLOCKS_APART_MS, readLog } from './hands.ts';

const READ = 900_000;
const HELD = 1_000_000;
const LATE = 2_000_000;
type To = StatusChange['to'];
const ours = (at: number, to: To = null): StatusChange => ({ campaignId: 'a', at, isOurs: true, to });
const theirs = (at: number, to: To = null): StatusChange => ({ ...ours(at, to), isOurs: false });

function read(
  changes: StatusChange[],
  found: LiveStatus,
  hold: { lateResumeUntil?: number | null; pausedAt?: number | null } = {},
) {
  const { changedByOthers, resumedLate, undone, pausedByUs } = readLog(
    changes,
    [
      {
        campaignId: 'a',
        platformReadAt: READ,
        lateResumeUntil: null,
        pausedAt: null,
        ...hold,
      },
    ],
    new Map([['a', found]]),
  );
  return {
    isTheirs: changedByOthers.has('a'),
    isLate: resumedLate.has('a'),
    isUndone: undone.has('a'),
    wasPausedByUs: pausedByUs.has('a'),
  };
}

test.each([
  ['our pause alone', [ours(HELD)], false],
  ['nothing: no information', [], false],
  ['a hand between our reading and our pause, which then changed nothing', [theirs(HELD - 50)], true],
  ['a hand early in a reading that took long', [theirs(READ + 1)], true],
  ['a hand that resumed before our reading, and our pause', [ours(HELD + 40), theirs(HELD - 500)], false],
  ['a hand long before, and no entry of ours yet', [theirs(READ - CLOCKS_APART_MS - 1)], false],
  ['a hand that resumed shortly before, and no entry of ours yet', [theirs(READ - 10, 'ACTIVE')], false],
  ['a hand that paused', [theirs(HELD - 50, 'PAUSED')], true],
  ['a hand that resumed and paused again', [theirs(HELD + 90), theirs(HELD + 80), ours(HELD)], true],
  ['a hand, and then we', [ours(HELD + 90), theirs(HELD + 80), ours(HELD)], false],
  ['somebody at another campaign', [{ ...theirs(HELD + 10), campaignId: 'b' }, ours(HELD)], false],
])('of a campaign found PAUSED the log tells of %s', (_title, changes, isTheirs) => {
  expect(read(changes, 'PAUSED').isTheirs).toBe(isTheirs);
});

test.each([
  ['a resume of ours while a lost one could arrive', ours(LATE - 1, 'ACTIVE'), LATE, true],
  ['one long after that', ours(LATE + LATE_WRITE_MS + CLOCKS_APART_MS + 1, 'ACTIVE'), LATE, false],
  ['one, and none was lost', ours(LATE - 1, 'ACTIVE'), null, false],
  ['our pause', ours(LATE - 1, 'PAUSED'), LATE, false],
  ['a resume of ours, or what else it may be', ours(LATE - 1), LATE, false],
  ['a resume by somebody else', theirs(LATE - 1, 'ACTIVE'), LATE, false],
] as const)('of a campaign found ACTIVE it tells of %s', (_title, change, lateResumeUntil, isLate) => {
  expect(read([change], 'ACTIVE', { lateResumeUntil }).isLate).toBe(isLate);
});

test.each([
  ['a pause by hand, and a resume of ours', [ours(LATE, 'ACTIVE'), theirs(HELD, 'PAUSED')], true],
  ['one long before we held it', [ours(LATE, 'ACTIVE'), theirs(READ - CLOCKS_APART_MS - 1, 'PAUSED')], false],
  ['another change by hand', [ours(LATE, 'ACTIVE'), theirs(HELD, 'ACTIVE')], false],
  ['a pause of ours', [ours(LATE, 'ACTIVE'), ours(HELD, 'PAUSED')], false],
  ['a resume of ours alone', [ours(LATE, 'ACTIVE')], false],
  ['a resume by hand', [theirs(LATE, 'ACTIVE'), theirs(HELD, 'PAUSED')], false],
])('what undid a hand, of a campaign found ACTIVE it tells of %s', (_title, changes, isUndone) => {
  expect(read(changes, 'ACTIVE')).toMatchObject({ isUndone });
});

test.each([
  ['a resume by hand, and a pause of ours', HELD, true],
  ['one before we had paused it', HELD + 1, false],
  ['that, and it was never known to be paused', null, false],
])('what undid a hand, of a campaign found PAUSED it tells of %s', (_title, pausedAt, isUndone) => {
  const changes = [ours(LATE, 'PAUSED'), theirs(HELD, 'ACTIVE')];
  expect(read(changes, 'PAUSED', { pausedAt })).toMatchObject({ isUndone });
});

test.each([
  ['a pause of ours, and a resume by hand', [theirs(LATE, 'ACTIVE'), ours(HELD, 'PAUSED')], true],
  [
    'a pause of ours in the second of our reading',
    [theirs(LATE, 'ACTIVE'), ours(READ - 999, 'PAUSED')],
    true,
  ],
  ['one before we decided to hold it', [theirs(LATE, 'ACTIVE'), ours(READ - 5000, 'PAUSED')], false],
  ['a pause by hand, and a resume by hand', [theirs(LATE, 'ACTIVE'), theirs(HELD, 'PAUSED')], false],
  ['a pause of ours, and the hand’s entry is not there yet', [ours(HELD, 'PAUSED')], true],
  [
    'a pause of ours, and hands to and fro',
    [theirs(LATE, 'ACTIVE'), theirs(LATE - 1, 'PAUSED'), theirs(LATE - 2), ours(HELD, 'PAUSED')],
    true,
  ],
  ['a resume by hand alone', [theirs(LATE, 'ACTIVE')], false],
])(
  'whether we had paused it, of a campaign found ACTIVE it tells of %s',
  (_title, changes, wasPausedByUs) => {
    expect(read(changes, 'ACTIVE')).toMatchObject({ wasPausedByUs });
  },
);
