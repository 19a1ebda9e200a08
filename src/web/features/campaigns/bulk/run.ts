import { REFUSALS } from '#contract/errors.ts';
import { CallError, isRefusal, errorMessage } from '../../../lib/api-client.ts';
import type { Target } from './actions.ts';

export interface Failure {
  target: Target;
  reason: string;
}

export interface Outcome {
  done: readonly Target[];
  failed: readonly Failure[];
  /** Not tried: the same failure would meet them. */
  left: readonly Target[];
}

interface RunOptions {
  /** How many calls run at the same time. */
  size: number;
  /** The targets that were changed since the last call of it. */
  onDone: (done: readonly Target[]) => void;
}

/** Changes the targets in chunks. A refusal that applies to all, or no response, ends the run. */
export async function runInChunks(
  targets: readonly Target[],
  send: (target: Target) => Promise<unknown>,
  { size, onDone }: RunOptions,
): Promise<Outcome> {
  const done: Target[] = [];
  const failed: Failure[] = [];
  const left: Target[] = [];
  const closedAccounts = new Set<string>();
  let isOver = false;
  for (let at = 0; at < targets.length; at += size) {
    const isLeft = ({ account }: Target) => isOver || closedAccounts.has(account.id);
    const { chunk = [], skipped = [] } = Object.groupBy(targets.slice(at, at + size), (target) =>
      isLeft(target) ? 'skipped' : 'chunk',
    );
    left.push(...skipped);
    const answers = await Promise.allSettled(chunk.map(send));
    onDone(chunk.filter((_, index) => answers[index]?.status === 'fulfilled'));
    for (const [index, target] of chunk.entries()) {
      const answer = answers[index];
      if (answer?.status !== 'rejected') {
        done.push(target);
        continue;
      }
      failed.push({ target, reason: reasonOf(answer.reason) });
      isOver ||= appliesToAll(answer.reason);
      // The account's other campaigns keep SmartPause on and their scheduled resume.
      if (target.resumes === true) closedAccounts.add(target.account.id);
    }
  }
  return { done, failed, left };
}

function appliesToAll(error: unknown): boolean {
  if (!(error instanceof CallError)) return true;
  return [401, 403, 429].includes(error.status) || isRefusal(error, 'TOKEN_EXPIRED');
}

function reasonOf(error: unknown): string {
  return error instanceof CallError
    ? errorMessage(REFUSALS.SERVER_ERROR.message, error)
    : 'SmartPause didn’t respond.';
}
