import { API_ERRORS } from '#contract/errors.ts';
import type { Campaign } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { CallError, errorMessage, hasCode } from '../../../lib/api-client.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import type { Action, Target } from './actions.ts';
import { OPPOSITE, isManual, namesOf } from './actions.ts';

export interface Outcome {
  done: Target[];
  /** Sent, but not confirmed by Meta yet. */
  unconfirmed: Target[];
  /** `isLocked`: SmartPause is on, so a manual resume is refused (DASH-16). */
  failed: { target: Target; reason: string; isLocked: boolean }[];
  /** Not tried: the user stopped the change, or a failure ended it. */
  left: Target[];
  /** By the user, before all were tried. */
  isStopped: boolean;
  /** The changed fields by campaign. */
  changed: Map<string, Partial<Campaign>>;
}

export interface Progress {
  /** Changed campaigns. */
  count: number;
  /** Above the server's limit of requests: when the next one is sent. */
  retryAt: Instant | null;
}

interface Run {
  onProgress: (progress: Progress) => void;
  /** Its end leaves the rest untried. A refusal that applies to all, or no response, ends it. */
  end: AbortController;
}

const AT_ONCE = 6;

/** Why a change ends that the user did not stop. */
const REFUSED = 'refused';

function untried(): Outcome {
  return { done: [], unconfirmed: [], failed: [], left: [], isStopped: false, changed: new Map() };
}

/** Changes the targets. Thousands of campaigns exceed the server's limit per minute: waits as long as it says. */
export async function runChange(
  targets: readonly Target[],
  send: (target: Target) => Promise<Partial<Campaign>>,
  { onProgress, end }: Run,
): Promise<Outcome> {
  const outcome = untried();
  const { signal } = end;
  const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const waits: Instant[] = [];
  const report = () =>
    onProgress({ count: outcome.done.length, retryAt: waits.length === 0 ? null : Math.min(...waits) });
  const wait = async (ms: number): Promise<void> => {
    const until = serverNow() + ms;
    waits.push(until);
    report();
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, ms))]);
    waits.splice(waits.indexOf(until), 1);
  };
  /** @returns whether it succeeded */
  const attempt = async (target: Target): Promise<boolean> => {
    if (signal.aborted) {
      outcome.left.push(target);
      return false;
    }
    try {
      const change = await send(target);
      outcome.changed.set(target.campaign.id, change);
      (change.pendingStatus === undefined ? outcome.done : outcome.unconfirmed).push(target);
      return true;
    } catch (error) {
      const waitMs = error instanceof CallError ? error.retryAfterMs : null;
      if (waitMs !== null && targets.length > 1) {
        await wait(waitMs);
        return await attempt(target);
      }
      outcome.failed.push({ target, reason: reasonOf(error), isLocked: hasCode(error, 'SMARTPAUSE_ACTIVE') });
      if (appliesToAll(error)) end.abort(REFUSED);
      return false;
    } finally {
      report();
    }
  };
  // Meta takes one resume of an ad account at a time. After a failed one, the others there keep SmartPause on.
  const queues = Map.groupBy(targets, ({ account, campaign, resumes }) =>
    resumes === true ? account.id : campaign.id,
  ).values();
  const work = async () => {
    for (const queue of queues)
      for (const [index, target] of queue.entries())
        if (!(await attempt(target))) {
          outcome.left.push(...queue.slice(index + 1));
          break;
        }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  outcome.isStopped = signal.aborted && signal.reason !== REFUSED && outcome.left.length > 0;
  return outcome;
}

function appliesToAll(error: unknown): boolean {
  if (!(error instanceof CallError)) return true;
  // The role is that of one ad account.
  if (hasCode(error, 'ROLE_CANNOT_PAUSE')) return false;
  return [401, 403, 429].includes(error.status) || hasCode(error, 'TOKEN_EXPIRED');
}

function reasonOf(error: unknown): string {
  return error instanceof CallError
    ? errorMessage(API_ERRORS.SERVER_ERROR.message, error)
    : 'SmartPause didn’t respond.';
}

const COPY: Record<Action, readonly [doing: string, done: string, failed: string]> = {
  on: ['Turning SmartPause on…', 'SmartPause turned on for', 'Failed to toggle SmartPause'],
  off: ['Turning SmartPause off…', 'SmartPause turned off for', 'Failed to toggle SmartPause'],
  pause: ['Pausing…', 'Paused', 'Failed to pause campaign'],
  resume: ['Resuming…', 'Resumed', 'Failed to resume campaign'],
};

/** Turning off to resume is a resume. */
function copyOf(action: Action, targets: readonly Target[]) {
  return COPY[targets.every(({ resumes }) => resumes === true) ? 'resume' : action];
}

export function progressTitle(action: Action, targets: readonly Target[]): string {
  return copyOf(action, targets)[0];
}

/** @param progress null: it has not begun */
export function progressText(progress: Progress | null, total: number, now: Instant): string {
  if (progress === null) return 'Waiting for the change before it…';
  const { count, retryAt } = progress;
  const done = `${figure(count)} of ${figure(total)}`;
  if (retryAt === null) return done;
  const left = Math.max(Math.ceil((retryAt - now) / seconds(1)), 1);
  return `${done}. Too many requests this minute; tries again in ${left} s.`;
}

/** 'SmartPause turned on for 9 of 12 campaigns.', or that the only change failed. */
export function outcomeTitle(action: Action, outcome: Outcome): string {
  const { done, unconfirmed, failed, left, isStopped } = outcome;
  const targets = [...done, ...unconfirmed, ...failed.map(({ target }) => target), ...left];
  const [, verb, failure] = copyOf(action, targets);
  const [first] = failed;
  if (targets.length === 1 && first !== undefined) return first.isLocked ? 'SmartPause is active' : failure;
  const all = counted(targets.length, 'campaign');
  const stopped = isStopped ? 'Stopped: ' : '';
  return `${stopped}${verb} ${done.length === targets.length ? all : `${figure(done.length)} of ${all}`}.`;
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
    failed.some(({ target }) => target.resumes === true)
      ? 'Check the list: with SmartPause off, a campaign stays paused until you resume it.'
      : '',
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

/** What the notice offers: to try again what the user did not stop, or to undo a manual action. */
export function nextSteps(action: Action, outcome: Outcome, allowed: readonly Action[]): NextStep[] {
  const { done, failed, left, isStopped } = outcome;
  const rest = [...failed.map(({ target }) => target), ...(isStopped ? [] : left)];
  const again = `Try again (${figure(rest.length)})`;
  const steps = rest.length > 0 ? [{ text: again, label: again, action, targets: rest }] : [];
  if (!isManual(action) || done.length === 0 || !allowed.includes(OPPOSITE[action])) return steps;
  const label = `Undo: ${action} ${namesOf(done)}`;
  return [...steps, { text: 'Undo', label, action: OPPOSITE[action], targets: done }];
}

/** The row shows the rest of its own change: a switch that has turned, or that Meta has not confirmed. */
export function isToldByRow(action: Action, { done, unconfirmed, failed }: Outcome): boolean {
  if (failed.length > 0) return false;
  return unconfirmed.length > 0 || (!isManual(action) && keptPaused(action, done).length === 0);
}

/** SmartPause paused them, and does not resume them any more. */
function keptPaused(action: Action, done: readonly Target[]): Target[] {
  if (action !== 'off') return [];
  return done.filter(({ campaign, resumes }) => campaign.held === true && resumes !== true);
}
