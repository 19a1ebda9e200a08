import { expect, test } from 'vitest';
import { minutes } from '#core/time.ts';
import { HIGH, NOW, TWO, UP, at, covers, matched, quiet, told } from './banner-list.fixture.ts';

const until = new Date(NOW + minutes(60)).toISOString();
const said = { since: at(18), until: null, campaigns: 2 };
const SAYS = 'paused_all blue: You paused everything at 9:12 PM EST';

test('[EARLY-08] says that the user did it, until when, and how to end it', () => {
  const banners = told({ status: UP, user: { ...quiet(covers({})), ...TWO, pausedAll: said } });
  expect(banners[0]).toMatch(SAYS);
  expect(banners[0]).toContain(
    '2 campaigns paused with “Pause all now”. | They stay paused until you choose “Resume all”.',
  );
  expect(banners[0]).toContain('[resume_all, pause_all');
});

test('[EARLY-08] names the chosen end once', () => {
  const pausedAll = { ...said, until };
  const banners = told({ status: UP, user: { ...quiet(covers({})), ...TWO, resumeAt: until, pausedAll } });
  expect(banners[0]).toContain('or at 10:30 PM EST');
  expect(banners.some((one) => one.startsWith('resume '))).toBe(false);
});

test('[EARLY-08] in an outage stands below it, and says what follows', () => {
  const banners = told({ status: HIGH, user: { ...matched(covers({})), ...TWO, pausedAll: said } });
  expect(banners[0]).toMatch(/^outage red/);
  expect(banners.find((one) => one.startsWith('paused_all'))).toContain('Meta’s outage goes on');
});
