import { expect, test } from 'vitest';
import { minutes } from '#core/time.ts';
import type { Given } from './banner-list.fixture.ts';
import { HIGH, NOW, TWO, UP, at, covers, matched, quiet, shown, told } from './banner-list.fixture.ts';

const until = new Date(NOW + minutes(60)).toISOString();
const said = { since: at(18), until: null, campaigns: 2 };
const SAYS = 'paused_all blue: You paused all protected campaigns at 9:12 PM EST';

test('[EARLY-08] says that the user did it, until when, and how to end it', () => {
  const banners = told({ status: UP, user: { ...quiet(covers({})), ...TWO, pausedAll: said } });
  expect(banners[0]).toMatch(SAYS);
  expect(banners[0]).toContain(
    '2 campaigns paused with “Pause all now”. | They stay paused until you choose “Resume all”.',
  );
  expect(banners[0]).toContain('[resume_all, change_end');
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

test.each([
  [{ user: { isSuspended: true } }, 'Pausing 3 more waits until SmartPause’s connection to Meta is back.'],
  [{ access: 'expired' }, '3 more can’t be paused: Meta no longer accepts our access.'],
  [{ plansAt: '/payment' }, '3 more aren’t paused without a subscription.'],
  [{ user: { notYetPaused: { count: 3, because: 'no_answer' } } }, 'Pausing 3 more. Meta isn’t responding'],
  [{}, 'Pausing 3 more.'],
] as [Given, string][])('[EARLY-08] says of what is not paused yet what it waits for: %j', (given, words) => {
  const notYetPaused = { count: 3, because: null };
  const user = { ...quiet(covers({})), ...TWO, pausedAll: said, notYetPaused, ...given.user };
  const banner = told({ status: UP, ...given, user }).find((one) => one.startsWith('paused_all')) ?? '';
  expect(banner.replaceAll(' | ', ' ')).toContain(words);
  expect(banner).not.toContain('being paused');
});

test('[EARLY-08] while none is paused yet, counts only those on their way', () => {
  const notYetPaused = { count: 2, because: null };
  const pausedAll = { ...said, campaigns: 0 };
  const [banner] = told({ status: UP, user: { ...quiet(covers({ on: 2 })), pausedAll, notYetPaused } });
  expect(banner).toContain('| Pausing 2 campaigns. |');
  expect(banner).not.toContain('0 campaigns');
});

test('[EARLY-08] without a subscription the end can’t be changed, and all can be resumed', () => {
  const given = { status: UP, user: { ...quiet(covers({})), ...TWO, pausedAll: said } };
  const acts = (more: Given) =>
    shown({ ...given, ...more })
      .find(({ kind }) => kind === 'paused_all')
      ?.acts.map(({ act }) => act);
  expect(acts({})).toContain('change_end');
  expect(acts({ plansAt: '/payment' })).toEqual(['resume_all', 'show_held']);
});
