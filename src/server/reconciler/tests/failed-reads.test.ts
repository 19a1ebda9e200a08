import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { minutes, seconds } from '../../../core/time.ts';

const suite = engineSuite();
const { advertiser, later, outage, recovery, statuses } = suite;
const graph = () => suite.simulators.graph;

const advertisers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => advertiser({ campaigns: ['ACTIVE'] })));

/** The lists of campaigns that Meta answered, or did not, during a turn. */
async function listsOf(turn: () => Promise<unknown>) {
  // The setup of the advertisers is worked through first.
  await suite.turn();
  await graph().ask('DELETE', '/requests');
  await turn();
  const lists = (await graph().requests()).filter(({ path }) => path.endsWith('/campaigns'));
  return { failed: lists.filter(({ status }) => status !== 200).length, all: lists.length };
}

describe('[FR-26] a failing activity log', () => {
  test.each([1, 2, 4, 8])('of %i users: all are resumed without it within 40 s', async (count) => {
    const users = await advertisers(count);
    await outage();
    await later(minutes(5));
    await graph().fault({ kind: 'error', code: 2, times: 0, match: { path: 'activities' } });
    await recovery();
    for (let tries = 1; tries <= 4; tries += 1) await later(seconds(10));
    for (const who of users) expect(await statuses(who)).toEqual(['ACTIVE']);
  });
});

describe('[FR-26] large ad accounts', () => {
  test.each([
    [2, 100, 4],
    [6, 100, 4],
    [2, 30, 6],
    [6, 30, 6],
  ])('%i with pages of at most %i: paused at once, and the sizes are kept', async (count, largest, tries) => {
    const users = await advertisers(count);
    await graph().post('/pages', { largest });
    try {
      expect(await listsOf(outage)).toEqual({ failed: tries * count, all: (tries + 1) * count });
      for (const who of users) expect(await statuses(who)).toEqual(['PAUSED']);
      expect(await listsOf(() => later(minutes(6)))).toEqual({ failed: 0, all: count });
    } finally {
      await graph().post('/pages', { largest: null });
    }
  });
});
