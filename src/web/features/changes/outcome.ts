import type { Campaign, UserStatus } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import type { Action, Target } from './actions.ts';
import { OPPOSITE, canTurn, isManual, namesOf } from './actions.ts';
import { staysOnCopy } from './questions.ts';

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

const NOT_DONE: Record<Action, string> = {
  on: 'turn on SmartPause for',
  off: 'turn off SmartPause for',
  off_and_resume: 'turn off SmartPause for',
  pause: 'pause',
  resume: 'resume',
  resume_now: 'resume',
};

export function progressTitle(action: Action): string {
  return COPY[action][0];
}

/** 'SmartPause turned on for 9 of 12 campaigns.', or that the only change failed. */
export function outcomeTitle(action: Action, outcome: Outcome): string {
  const { done, unconfirmed, failed, left, changed } = outcome;
  const total = done.length + unconfirmed.length + failed.length + left.length;
  // SmartPause may be off although the resume is not confirmed, or failed.
  const turnedOff = [...changed.values()].filter(({ smartPauseSetting }) => smartPauseSetting === 'OFF');
  const count = action === 'off_and_resume' ? turnedOff.length : done.length;
  const [, verb, failure] = COPY[action];
  const [first] = failed;
  if (total === 1 && count === 0 && first !== undefined)
    return first.isLocked ? 'SmartPause is active' : failure;
  const all = counted(total, 'campaign');
  if (count + unconfirmed.length === 0) return `Couldn’t ${NOT_DONE[action]} ${all}.`;
  return `${verb} ${count === total ? all : `${figure(count)} of ${all}`}.`;
}

/** The campaigns, those that failed with the server's reasons, and what was not tried; empty: nothing to add. */
export function outcomeText(
  action: Action,
  { done, unconfirmed, failed, left }: Outcome,
  user?: UserStatus,
): string {
  const failedOnes = failed.map(({ target }) => target);
  const reasons = [...new Set(failed.map(({ reason }) => reason))];
  const kept = keptPaused(action, done);
  const [stay, them] = kept.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
  const isWhole = unconfirmed.length + failed.length + left.length === 0;
  const didFail = action === 'off_and_resume' ? 'not resumed' : 'failed';
  // The title says of all that they failed.
  const isAll = done.length + unconfirmed.length + left.length === 0 && didFail === 'failed';
  const failedNames = `${namesOf(failedOnes)}.`;
  const leftOn = done.filter(({ campaign }) => campaign.notResumed === undefined);
  return [
    isManual(action) && done.length > 0 ? `${namesOf(done)}.` : '',
    kept.length === 0 ? '' : `${namesOf(kept)} ${stay} paused until you resume ${them}.`,
    unconfirmed.length === 0 ? '' : `${figure(unconfirmed.length)} not confirmed by Meta yet.`,
    failed.length === 0 || isAll ? '' : `${figure(failed.length)} ${didFail}: ${failedNames}`,
    ...reasons.slice(0, 3),
    isAll && failed.length > 0 ? failedNames : '',
    left.length === 0 ? '' : `${figure(left.length)} not tried.`,
    action === 'off_and_resume' && isWhole ? 'What SmartPause had paused is resumed.' : '',
    action === 'resume_now' && leftOn.length > 0 ? staysOnCopy(leftOn.length, user) : '',
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

/**
 * What the notice offers: to try again, or to undo. @param wasAsked a question came before, which said what turning
 * SmartPause on or off pauses, or leaves paused
 */
export function nextSteps(
  action: Action,
  outcome: Outcome,
  allowed: readonly Action[],
  wasAsked: boolean,
): NextStep[] {
  const { failed, left } = outcome;
  const rest = [...failed.map(({ target }) => target), ...left];
  const again = `Try again (${figure(rest.length)})`;
  const steps = rest.length > 0 ? [{ text: again, label: again, action, targets: rest }] : [];
  if (action === 'off_and_resume' || action === 'resume_now') return steps;
  const opposite = OPPOSITE[action];
  const targets = wasAsked && !isManual(action) ? [] : outcome.done.filter(canBeUndone(opposite, outcome));
  if (targets.length === 0 || !allowed.includes(opposite)) return steps;
  const label = `Undo: ${isManual(action) ? action : `SmartPause ${action} for`} ${namesOf(targets)}`;
  return [...steps, { text: 'Undo', label, action: opposite, targets }];
}

/** SmartPause cannot be turned on again for each campaign. */
const canBeUndone =
  (opposite: Action, { changed }: Outcome) =>
  ({ account, campaign }: Target): boolean =>
    (opposite !== 'on' && opposite !== 'off') ||
    canTurn({ account, campaign: { ...campaign, ...changed.get(campaign.id) } }, opposite);

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
