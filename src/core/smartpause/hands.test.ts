import { expect, test } from 'vitest';
import { CLOCKS_APART_MS, changedByOthers } from './hands.ts';

const READ = 900_000;
const HELD = 1_000_000;
const ours = (at: number) => ({ campaignId: 'a', at, isOurs: true });
const theirs = (at: number) => ({ campaignId: 'a', at, isOurs: false });

test.each([
  ['our pause alone', [ours(HELD)], false],
  ['nothing: no information', [], false],
  ['a hand between our reading and our pause, which then changed nothing', [theirs(HELD - 50)], true],
  ['a hand early in a reading that took long', [theirs(READ + 1)], true],
  ['a hand that resumed before our reading, and our pause', [ours(HELD + 40), theirs(HELD - 500)], false],
  ['a hand long before, and no entry of ours yet', [theirs(READ - CLOCKS_APART_MS - 1)], false],
  ['a hand that resumed and paused again', [theirs(HELD + 90), theirs(HELD + 80), ours(HELD)], true],
  ['a hand, and then we', [ours(HELD + 90), theirs(HELD + 80), ours(HELD)], false],
  ['somebody at another campaign', [{ ...theirs(HELD + 10), campaignId: 'b' }, ours(HELD)], false],
])('the log tells of %s', (_title, changes, isTheirs) => {
  const found = changedByOthers(changes, [{ campaignId: 'a', readAt: READ }]);
  expect([...found]).toEqual(isTheirs ? ['a'] : []);
});
