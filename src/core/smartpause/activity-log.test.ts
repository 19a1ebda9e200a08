import { expect, test } from 'vitest';
import type { LiveStatus } from './hold.ts';
import type { StatusChange } from './activity-log.ts';
import { CLOCKS_APART_MS, readLog } from './activity-log.ts';

const READ = 900_000;
const HELD = 1_000_000;
const LATE = 2_000_000;
type To = StatusChange['to'];
const ours = (at: number, to: To = null): StatusChange => ({ campaignId: 'a', at, isOurs: true, to });
const theirs = (at: number, to: To = null): StatusChange => ({ ...ours(at, to), isOurs: false });

function read(changes: StatusChange[], found: LiveStatus, pausedAt: number | null = null) {
  const hold = { campaignId: 'a', platformReadAt: READ, pausedAt };
  return readLog(changes, [hold], new Map([['a', found]])).get('a');
}

test.each([
  ['our pause alone', [ours(HELD)], false],
  ['nothing: no information', [], false],
  ['an external change between our read and our pause, which changed nothing', [theirs(HELD - 50)], true],
  ['an external change early in a long read', [theirs(READ + 1)], true],
  ['an external resume before our read, and our pause', [ours(HELD + 40), theirs(HELD - 500)], false],
  ['an external change long before, and no entry of ours yet', [theirs(READ - CLOCKS_APART_MS - 1)], false],
  ['an external resume shortly before, and no entry of ours yet', [theirs(READ - 10, 'ACTIVE')], false],
  ['an external pause', [theirs(HELD - 50, 'PAUSED')], true],
  ['an external resume and pause', [theirs(HELD + 90), theirs(HELD + 80), ours(HELD)], true],
  ['an external change, then ours', [ours(HELD + 90), theirs(HELD + 80), ours(HELD)], false],
  ['an external change to another campaign', [{ ...theirs(HELD + 10), campaignId: 'b' }, ours(HELD)], false],
])('campaign found PAUSED, last change external: %s', (_title, changes, isExternal) => {
  expect(read(changes, 'PAUSED')).toMatchObject({ external: isExternal });
});

test.each([
  ['an external pause, and a resume of ours', [ours(LATE, 'ACTIVE'), theirs(HELD, 'PAUSED')], true],
  ['one long before we held it', [ours(LATE, 'ACTIVE'), theirs(READ - CLOCKS_APART_MS - 1, 'PAUSED')], false],
  ['another external change', [ours(LATE, 'ACTIVE'), theirs(HELD, 'ACTIVE')], false],
  ['a pause of ours', [ours(LATE, 'ACTIVE'), ours(HELD, 'PAUSED')], false],
  ['a resume of ours alone', [ours(LATE, 'ACTIVE')], false],
  ['an external resume', [theirs(LATE, 'ACTIVE'), theirs(HELD, 'PAUSED')], false],
])('campaign found ACTIVE, our write undid an external change: %s', (_title, changes, isUndone) => {
  expect(read(changes, 'ACTIVE')).toMatchObject({ undone: isUndone });
});

test.each([
  ['an external resume, and a pause of ours', HELD, true],
  ['one before we had paused it', HELD + 1, false],
  ['that, and it was never known to be paused', null, false],
])('campaign found PAUSED, our write undid an external change: %s', (_title, pausedAt, isUndone) => {
  const changes = [ours(LATE, 'PAUSED'), theirs(HELD, 'ACTIVE')];
  expect(read(changes, 'PAUSED', pausedAt)).toMatchObject({ undone: isUndone });
});

test.each([
  ['a pause of ours, and an external resume', [theirs(LATE, 'ACTIVE'), ours(HELD, 'PAUSED')], true],
  [
    'a pause of ours in the second of our reading',
    [theirs(LATE, 'ACTIVE'), ours(READ - 999, 'PAUSED')],
    true,
  ],
  ['one before we decided to hold it', [theirs(LATE, 'ACTIVE'), ours(READ - 5000, 'PAUSED')], false],
  ['an external pause, and an external resume', [theirs(LATE, 'ACTIVE'), theirs(HELD, 'PAUSED')], false],
  ['a pause of ours, and the entry of the external change is missing', [ours(HELD, 'PAUSED')], true],
  [
    'a pause of ours, and several external changes',
    [theirs(LATE, 'ACTIVE'), theirs(LATE - 1, 'PAUSED'), theirs(LATE - 2), ours(HELD, 'PAUSED')],
    true,
  ],
  ['an external resume alone', [theirs(LATE, 'ACTIVE')], false],
])(
  'campaign found ACTIVE, our pause was carried out since the decision: %s',
  (_title, changes, pausedByUs) => {
    expect(read(changes, 'ACTIVE')).toMatchObject({ pausedByUs });
  },
);

test('campaign found PAUSED, a second copy of our pause undid an external resume before any read', () => {
  const changes = [ours(LATE, 'PAUSED'), theirs(HELD + 50, 'ACTIVE'), ours(HELD, 'PAUSED')];
  expect(read(changes, 'PAUSED')).toMatchObject({ undone: true });
});

test('our resume was carried out, and someone else paused the campaign', () => {
  const changes = [theirs(LATE, 'PAUSED'), ours(LATE - 10, 'ACTIVE'), ours(HELD, 'PAUSED')];
  expect(read(changes, 'PAUSED')).toMatchObject({ external: true, resumedByUs: true });
});

test('the resume of a former hold, just before our pause, is not ours to resume', () => {
  const changes = [ours(READ + 300, 'PAUSED'), ours(READ - 100, 'ACTIVE')];
  expect(read(changes, 'PAUSED')).toMatchObject({ pausedByUs: true, resumedByUs: false });
});
