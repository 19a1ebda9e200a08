import { API_ERRORS } from '#contract/errors.ts';
import { counted, figure, namesLabel } from '#core/labels.ts';
import { CallError, errorMessage, hasCode } from '../../../lib/api-client.ts';
import type { Action, Target } from './actions.ts';

export interface Outcome {
  done: readonly Target[];
  failed: readonly { target: Target; reason: string }[];
  /** Not tried: the same failure would meet them. */
  left: readonly Target[];
}

interface RunOptions {
  /** How many calls run at the same time. */
  size: number;
  /** How many targets were changed by now. */
  onProgress: (count: number) => void;
}

/** Changes the targets in chunks. A refusal that applies to all, or no response, ends the run. */
export async function runInChunks(
  targets: readonly Target[],
  send: (target: Target) => Promise<unknown>,
  { size, onProgress }: RunOptions,
): Promise<Outcome> {
  const outcome = {
    done: [] as Target[],
    failed: [] as { target: Target; reason: string }[],
    left: [] as Target[],
  };
  const closedAccounts = new Set<string>();
  let isOver = false;
  const attempt = async (target: Target) => {
    try {
      await send(target);
      outcome.done.push(target);
    } catch (error) {
      outcome.failed.push({ target, reason: reasonOf(error) });
      isOver ||= appliesToAll(error);
      // The account's other campaigns keep SmartPause on and their scheduled resume.
      if (target.resumes === true) closedAccounts.add(target.account.id);
    }
  };
  for (let at = 0; at < targets.length; at += size) {
    const chunk = targets.slice(at, at + size);
    const isLeft = ({ account }: Target) => isOver || closedAccounts.has(account.id);
    outcome.left.push(...chunk.filter(isLeft));
    await Promise.all(chunk.filter((target) => !isLeft(target)).map(attempt));
    onProgress(outcome.done.length);
  }
  return outcome;
}

function appliesToAll(error: unknown): boolean {
  if (!(error instanceof CallError)) return true;
  return [401, 403, 429].includes(error.status) || hasCode(error, 'TOKEN_EXPIRED');
}

function reasonOf(error: unknown): string {
  return error instanceof CallError
    ? errorMessage(API_ERRORS.SERVER_ERROR.message, error)
    : 'SmartPause didn’t respond.';
}

const COPY: Record<Action, readonly [doing: string, done: string]> = {
  on: ['Turning SmartPause on…', 'SmartPause turned on for'],
  off: ['Turning SmartPause off…', 'SmartPause turned off for'],
  pause: ['Pausing…', 'Paused'],
  resume: ['Resuming…', 'Resumed'],
};

/** Turning off to resume is a resume. */
function copyOf(action: Action, targets: readonly Target[]) {
  return COPY[targets.every(({ resumes }) => resumes === true) ? 'resume' : action];
}

export function progressTitle(action: Action, targets: readonly Target[]): string {
  return copyOf(action, targets)[0];
}

/** 'SmartPause turned on for 9 of 12 campaigns.' */
export function outcomeTitle(action: Action, { done, failed, left }: Outcome): string {
  const targets = [...done, ...failed.map(({ target }) => target), ...left];
  const all = counted(targets.length, 'campaign');
  const count = done.length === targets.length ? all : `${figure(done.length)} of ${all}`;
  return `${copyOf(action, targets)[1]} ${count}.`;
}

/** '3 failed: Hats, Shoes and Coats.', the server's reasons, and what was not tried. */
export function failureCopy({ failed, left }: Outcome): string {
  const names = namesLabel(failed.map(({ target }) => target.campaign));
  const reasons = new Set(failed.map(({ reason }) => reason));
  const resumes = failed.some(({ target }) => target.resumes === true);
  return [
    failed.length === 0 ? '' : `${figure(failed.length)} failed: ${names}.`,
    ...[...reasons].slice(0, 3),
    left.length === 0 ? '' : `${figure(left.length)} not tried.`,
    resumes ? 'Check the list: with SmartPause off, a campaign stays paused until you resume it.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
