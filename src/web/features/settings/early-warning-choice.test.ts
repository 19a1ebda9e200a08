import { expect, test } from 'vitest';
import type { EarlyWarningChoice } from '#core/settings.ts';
import type { Level } from '#core/smartpause/level.ts';
import { pausesOnSave } from './early-warning-choice.tsx';

const warning = { since: '2026-01-09T02:10:00Z', pauses: true, evidence: 'Calls to Meta fail.' };
const of = (status: Level, pauses: boolean) => ({ status, warning: { ...warning, pauses } });

test.each<[string, Parameters<typeof pausesOnSave>[0], EarlyWarningChoice, EarlyWarningChoice, boolean]>([
  ['while a warning pauses', of('UP', true), 'notify', 'pause', true],
  ['below the user’s threshold', of('LOW_DISRUPTION', true), 'official', 'pause', true],
  ['not during an outage, which has paused them', of('HIGH_DISRUPTION', true), 'official', 'pause', false],
  ['not while a warning only notifies', of('UP', false), 'notify', 'pause', false],
  ['not without a warning', { status: 'UP' }, 'notify', 'pause', false],
  ['not before the status is known', null, 'notify', 'pause', false],
  ['not by the choice that is saved', of('UP', true), 'pause', 'pause', false],
  ['not by another choice', of('UP', true), 'official', 'notify', false],
])('[EARLY-04] saving the choice pauses at once %s', (_name, level, earlyWarning, chosen, expected) => {
  expect(pausesOnSave(level, { earlyWarning, outageThreshold: 'MEDIUM' }, chosen)).toBe(expected);
});
