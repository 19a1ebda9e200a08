import { expect, test } from 'vitest';
import type { UserStatus } from '#contract/shapes.ts';
import type { Given } from './banner-list.fixture.ts';
import {
  HIGH,
  LOW,
  SOON,
  TWO,
  UP,
  at,
  covers,
  is,
  matched,
  quiet,
  shown,
  told,
} from './banner-list.fixture.ts';
import { offersPauseAll } from './early-warning-banner.ts';

const FAILS = 'Since 9:16 PM EST, reading campaigns fails for 31 of 118 businesses.';
const warning = { since: at(12), pauses: true, evidence: FAILS };
const SUSPECTED = { ...warning, pauses: false };
const BEGIN = `early_warning orange: Early warning: Meta may have an outage · since 9:18 PM EST | ${FAILS}`;
const SILENT = 'Meta’s page doesn’t say so yet.';
const runs = quiet(covers({ on: 2 }));
const early = { ...runs, ...TWO, earlyWarning: 'pause', pausedEarly: 2 } as const;
const toldOf = (given: Given) => told(given).find((one) => one.startsWith('early_warning'));

test.each<[string, Given, string]>([
  [
    'official status only',
    { status: { ...UP, warning }, user: { ...runs, earlyWarning: 'official' } },
    `${SILENT} | Your campaigns keep running: you chose the official status only. [pause_all, Change in Settings]`,
  ],
  [
    'notify only',
    { status: { ...UP, warning }, user: { ...runs, earlyWarning: 'notify' } },
    `${SILENT} | Your campaigns keep running: you chose to be notified only. [pause_all, Change in Settings]`,
  ],
  [
    'pause, and only calls fail',
    { status: { ...UP, warning: SUSPECTED }, user: { ...runs, earlyWarning: 'pause' } },
    `${SILENT} | Nothing is paused yet: failing calls alone never pause. [pause_all]`,
  ],
  [
    'pause, and pauses are on their way',
    {
      status: { ...UP, warning },
      user: { ...runs, earlyWarning: 'pause', notYetPaused: { count: 2, because: null } },
    },
    `${SILENT} | Pausing 2 campaigns.`,
  ],
  [
    'pause, and nothing is protected',
    { status: { ...UP, warning }, user: { ...quiet(covers({ off: 2 })), earlyWarning: 'pause' } },
    `${SILENT} | SmartPause has paused none of your campaigns.`,
  ],
  [
    'paused',
    {
      status: { ...UP, warning },
      user: { ...early, resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } } },
    },
    `${SILENT} | SmartPause has paused 2 campaigns. | They resume 5 minutes after it’s over. [show_held]`,
  ],
  [
    'paused, and the access is lost',
    { status: { ...UP, warning }, access: 'expired', user: early },
    `${SILENT} | SmartPause has paused 2 campaigns. [show_held]`,
  ],
  [
    'no subscription',
    { status: { ...UP, warning }, plansAt: '/payment', user: { ...runs, earlyWarning: 'official' } },
    SILENT,
  ],
  [
    'a level set by an admin says nothing about Meta’s page',
    { status: { ...UP, warning, isOverridden: true }, user: { ...runs, earlyWarning: 'notify' } },
    'Your campaigns keep running: you chose to be notified only. [pause_all, Change in Settings]',
  ],
])('[EARLY-06] the banner says what it means: %s', (_, given, words) => {
  expect(toldOf(given)).toBe(`${BEGIN} | ${words}`);
});

test('[EARLY-06] without a warning there is no banner', () => {
  expect(toldOf({ status: UP, user: { ...runs, earlyWarning: 'pause' } })).toBeUndefined();
  expect(toldOf({ status: { ...UP, warning: SUSPECTED }, user: early })).toContain(
    'It pauses no more campaigns. They resume as set in Settings.',
  );
});

const said = { since: at(18), until: null, campaigns: 2 };

test.each<[string, Given, string[]]>([
  ['Meta is up', { status: { ...UP, warning }, user: early }, ['early_warning', 'protection']],
  [
    'the page reports less than the threshold',
    { status: { ...LOW, warning }, user: early },
    ['early_warning', 'status', 'protection'],
  ],
  [
    'the page can’t be read',
    { status: { ...is('UNKNOWN'), warning }, user: early },
    ['early_warning', 'status', 'protection'],
  ],
  [
    'the page reports the outage as well',
    { status: { ...HIGH, warning }, user: { ...matched(covers({})), ...TWO, earlyWarning: 'pause' } },
    ['outage', 'early_warning', 'status'],
  ],
  [
    'Meta refuses the login, and the user has paused everything',
    { status: { ...UP, warning }, access: 'expired', user: { ...runs, ...TWO, pausedAll: said } },
    ['access', 'paused_all', 'early_warning', 'protection'],
  ],
  [
    'SmartPause is suspended, and the warning is over',
    { status: UP, user: { ...early, resumeAt: SOON, isSuspended: true } },
    ['suspended', 'resume', 'protection'],
  ],
])('[EARLY-06, UX-19] the order of the banners: %s', (_, given, kinds) => {
  expect(shown(given).map(({ kind }) => kind)).toEqual(kinds);
});

test('[EARLY-06] once the page reports the outage, the banner has only the evidence', () => {
  const user = { ...matched(covers({})), ...TWO, earlyWarning: 'pause' as const };
  expect(toldOf({ status: { ...HIGH, warning }, user })).toBe(
    `early_warning orange: Early warning · since 9:18 PM EST | ${FAILS}`,
  );
});

test('[EARLY-04] after the warning the resume banner says what paused them, and when they resume', () => {
  const resumeSettings = { mode: 'delay', delay: { value: 5, unit: 'minutes' } } as const;
  const after = (user: Given['user']) =>
    told({ status: UP, user: { ...early, resumeAt: SOON, resumeSettings, ...user } })[0];
  expect(after({})).toMatch(/^resume blue: 2 campaigns resume at 9:47 PM EST/);
  expect(after({})).toContain(
    'An early warning paused them; Meta’s page never confirmed it. | 2 campaigns in Lind Outdoor: you chose 5 minutes after it’s over.',
  );
  expect(after({ pausedEarly: 1 })).toContain('An early warning paused 1 of them;');
});

test('[EARLY-04] what an early warning paused is of no outage: the link leads to all activity', () => {
  const linkOf = (pausedEarly: number) =>
    shown({ status: UP, user: { ...early, resumeAt: SOON, pausedEarly } })
      .flatMap(({ acts }) => acts)
      .find((act) => act.act === 'visit' && act.label === 'See what happened');
  expect(linkOf(2)).toMatchObject({ to: '/activity' });
  expect(linkOf(0)).toMatchObject({ to: '/activity/latest' });
});

test('[EARLY-08] ‘Pause all now’ is in the banner, or above the list, never in both', () => {
  const user: UserStatus = {
    ...{ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email: null, resumeAt: null },
    ...{ ...runs, earlyWarning: 'official' },
  };
  const facts = { hasPauseAll: true, isSetUp: true, plansAt: null, status: { ...UP, warning }, user };
  expect(offersPauseAll(facts)).toBe(true);
  expect(offersPauseAll({ ...facts, status: UP })).toBe(false);
  expect(offersPauseAll({ ...facts, status: { ...HIGH, warning } })).toBe(false);
  expect(offersPauseAll({ ...facts, hasPauseAll: false })).toBe(false);
  expect(offersPauseAll({ ...facts, user: { ...user, earlyWarning: 'pause' } })).toBe(false);
});
