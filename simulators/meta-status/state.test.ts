import { expect, test } from 'vitest';
import { advanceReplay, freshState, now, startReplay } from './state.ts';

test('[DEMO-01] a replay is an outage of its own time: the list has none of January 8', () => {
  const state = freshState();
  const before = now(state);
  const { startsAt, endsAt } = startReplay(state, { seconds: 30 });
  expect([Date.parse(startsAt) >= before, Date.parse(endsAt) - Date.parse(startsAt)]).toEqual([true, 30_000]);
  const posts = () => {
    advanceReplay(state);
    return state.outages
      .get('ads-manager')
      ?.flatMap((one) => one.posts.map(({ status, time }) => [status, time]));
  };
  const reported = ['High disruptions', startsAt];
  expect(posts()).toEqual([reported]);
  state.clockOffsetMs += 30_000;
  expect(posts()).toEqual([reported, ['Resolved', endsAt]]);
});
