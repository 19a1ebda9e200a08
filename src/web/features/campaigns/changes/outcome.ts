import type { Campaign } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import type { Action, Target } from './actions.ts';
import { OPPOSITE, isManual, namesOf } from './actions.ts';

export interface Outcome {
  done: Target[];
  /** Sent, but not confirmed by Meta yet. */
  unconfirmed: Target[];
  /** `isLocked`: SmartPause is on, so a manual resume is refused (DASH-16). */
  failed: { target: Target; reason: string; isLocked: boolean }[];
  /** Not tried: a failure ended the change. */
  left: Target[];
  /** The changed fields by campaign. */
  changed: Map<string, Partial<Campaign>>;
}

const COPY: Record<Action, readonly [doing: string, done: string, failed: string]> = {
  on: ['Turning SmartPause on…', 'SmartPause turned on for', 'Failed to toggle SmartPause'],
  off: ['Turning SmartPause off…', 'SmartPause turned off for', 'Failed to toggle SmartPause'],
  off_and_resume: ['Turning SmartPause off…', 'SmartPause turned off for', 'Failed to toggle SmartPause'],
  pause: ['Pausing…', 'Paused', 'Failed to pause campaign'],
  resume: ['Resuming…', 'Resumed', 'Failed to resume campaign'],
  resume_now: ['Resuming…', 'Resumed', 'Failed to resume campaign'],
};

export function progressTitle(action: Action): string {
  return COPY[action][0];
}

/** 'SmartPause turned on for 9 of 12 campaigns.', or that the only change failed. */
export function outcomeTitle(action: Action, { done, unconfirmed, failed, left }: Outcome): string {
  const total = done.length + unconfirmed.length + failed.length + left.length;
  const [, verb, failure] = COPY[action];
  const [first] = failed;
  if (total === 1 && first !== undefined) return first.isLocked ? 'SmartPause is active' : failure;
  const all = counted(total, 'campaign');
  return `${verb} ${done.length === total ? all : `${figure(done.length)} of ${all}`}.`;
}

/** The campaigns, those that failed with the server's reasons, and what was not tried; empty: nothing to add. */
export function outcomeText(action: Action, { done, unconfirmed, failed, left }: Outcome): string {
  const failedOnes = failed.map(({ target }) => target);
  const reasons = [...new Set(failed.map(({ reason }) => reason))];
  const kept = keptPaused(action, done);
  const [stay, them] = kept.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
  return [
    isManual(action) && done.length > 0 ? `${namesOf(done)}.` : '',
    kept.length === 0 ? '' : `${namesOf(kept)} ${stay} paused until you resume ${them}.`,
    unconfirmed.length === 0 ? '' : `${figure(unconfirmed.length)} not confirmed by Meta yet.`,
    failed.length === 0 ? '' : `${figure(failed.length)} failed: ${namesOf(failedOnes)}.`,
    ...reasons.slice(0, 3),
    left.length === 0 ? '' : `${figure(left.length)} not tried.`,
    action === 'off_and_resume' && done.length > 0 ? 'What SmartPause had paused is resumed.' : '',
    action === 'resume_now' && done.length > 0 ? 'SmartPause stays on for the next outage.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

export interface NextStep {
  action: Action;
  targets: readonly Target[];
  text: string;
  label: string;
}

/** What the notice offers: to try again, or to undo a manual action. */
export function nextSteps(action: Action, outcome: Outcome, allowed: readonly Action[]): NextStep[] {
  const { done, failed, left } = outcome;
  const rest = [...failed.map(({ target }) => target), ...left];
  const again = `Try again (${figure(rest.length)})`;
  const steps = rest.length > 0 ? [{ text: again, label: again, action, targets: rest }] : [];
  if (!isManual(action) || done.length === 0 || !allowed.includes(OPPOSITE[action])) return steps;
  const label = `Undo: ${action} ${namesOf(done)}`;
  return [...steps, { text: 'Undo', label, action: OPPOSITE[action], targets: done }];
}

/** The row shows the rest of its own change: a switch that has turned, or that Meta has not confirmed. */
export function isToldByRow(action: Action, { done, unconfirmed, failed }: Outcome): boolean {
  if (failed.length > 0) return false;
  const isSwitch = action === 'on' || action === 'off';
  return unconfirmed.length > 0 || (isSwitch && keptPaused(action, done).length === 0);
}

/** SmartPause paused them, and does not resume them any more. */
function keptPaused(action: Action, done: readonly Target[]): Target[] {
  if (action !== 'off') return [];
  return done.filter(({ campaign }) => campaign.held === true);
}
