import { expect, test } from 'vitest';
import type { AppState } from './app-state.ts';
import { APP_OPEN, isNews, isSparing } from './app-state.ts';
import { minutes, seconds } from './time.ts';

const now = minutes(1000);
const used = (usedPercent: number, ageMs = 0): Partial<AppState> => ({ usedPercent, usedAt: now - ageMs });
const stopped = (probeInMs: number): Partial<AppState> => ({ stopped: 'limited', probeAt: now + probeInMs });

test.each<[what: string, state: Partial<AppState>, spares: boolean]>([
  ['nothing is known', {}, false],
  ['69 % is used', used(69), false],
  ['70 % is used', used(70), true],
  ['241 % is used', used(241), true],
  ['the report is five minutes old', used(97, minutes(5)), false],
  ['it is a little younger', used(97, minutes(5) - 1), true],
  ['Meta refuses the app', stopped(1), true],
  ['a call may find out whether it still does', stopped(0), false],
  ['it served the app again less than two minutes ago', { openedAt: now - minutes(2) + 1 }, true],
  ['it did so two minutes ago', { openedAt: now - minutes(2) }, false],
])('[FR-31] pages show stored lists: %s', (_what, state, spares) => {
  expect(isSparing({ ...APP_OPEN, ...state }, now)).toBe(spares);
});

test.each<[what: string, stored: Partial<AppState>, percent: number, news: boolean]>([
  ['little is used, as before', {}, 69, false],
  ['the line is crossed', {}, 70, true],
  ['it is crossed downwards', used(70, seconds(1)), 69, true],
  ['the stored report is young', used(90, seconds(59)), 95, false],
  ['the stored report is a minute old', used(90, minutes(1)), 90, true],
  ['the stored report is outdated', used(90, minutes(6)), 90, true],
  ['an outdated report, and little is used', used(90, minutes(6)), 10, false],
])('other processes learn of a report: %s', (_what, stored, percent, news) => {
  expect(isNews({ ...APP_OPEN, ...stored }, percent, now)).toBe(news);
});
