import { REFUSALS } from '#contract/errors.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { CallError, isRefusal, reasonOr } from '../../../api/call.ts';

export interface Failure<Target> {
  target: Target;
  reason: string;
}

/** How far one bulk change has come. What is in neither list has not been tried, or was in vain for all alike. */
export interface Progress<Target> {
  done: readonly Target[];
  failed: readonly Failure<Target>[];
}

export interface RunArgs<Target> {
  targets: readonly Target[];
  /** Has one changed by the server. */
  send: (target: Target) => Promise<unknown>;
  onProgress: (progress: Progress<Target>) => void;
  /** Once it is aborted nothing new is begun. */
  signal: AbortSignal;
  concurrency?: number;
}

/** What is refused for one is then refused for all. */
const FOR_ALL: readonly RefusalCode[] = [
  'UNAUTHENTICATED',
  'SUBSCRIPTION_REQUIRED',
  'NOT_INITIALIZED',
  'TOKEN_EXPIRED',
  'ACCESS_DENIED',
  'AD_ACCOUNT_NOT_FOUND',
  'ACCOUNT_LEAVING',
  'TOO_MANY_REQUESTS',
];

/** So many failures in a row that are nobody's refusal, and the rest is not tried. */
const TROUBLE_IN_A_ROW = 8;

/**
 * Changes one after the other, a few at a time.
 * @returns why the rest was not tried, in a sentence; null: all were, or the person stopped it
 */
export async function runBulk<Target>(args: RunArgs<Target>): Promise<string | null> {
  const { targets, send, onProgress, signal, concurrency = 6 } = args;
  const done: Target[] = [];
  const failed: Failure<Target>[] = [];
  let obstacle: string | null = null;
  let troubles = 0;
  const rest = targets.values();
  const work = async (): Promise<void> => {
    while (obstacle === null && !signal.aborted) {
      const next = rest.next();
      if (next.done === true) return;
      const target = next.value;
      try {
        await send(target);
        troubles = 0;
        done.push(target);
      } catch (error) {
        const reason = reasonOf(error);
        if (holdsForAll(error)) {
          obstacle ??= reason;
          continue;
        }
        troubles = isRefused(error) ? 0 : troubles + 1;
        if (troubles >= TROUBLE_IN_A_ROW) obstacle ??= reason;
        failed.push({ target, reason });
      }
      onProgress({ done: [...done], failed: [...failed] });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return obstacle;
}

function holdsForAll(error: unknown): boolean {
  return FOR_ALL.some((code) => isRefusal(error, code));
}

/** The server has understood it and said no. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && error.status < 500;
}

function reasonOf(error: unknown): string {
  if (isNamed(error, 'TimeoutError')) return 'SmartPause took too long to answer.';
  if (isNamed(error, 'AbortError')) return 'It was stopped before SmartPause had answered.';
  if (!(error instanceof CallError)) return 'SmartPause could not be reached.';
  return reasonOr(REFUSALS.SERVER_ERROR.message, error);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}
