import { REFUSALS } from '#contract/errors.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { CallError, isRefusal, reasonOr } from '../../../api/call.ts';

export interface Failure<Target> {
  target: Target;
  reason: string;
}

/** `send` returns this for a target that it leaves as it is. */
export const SKIPPED = 'skipped';

/** A target in neither list was not tried, was skipped, or met a refusal that applies to all. */
export interface Progress<Target> {
  done: readonly Target[];
  failed: readonly Failure<Target>[];
}

export interface RunArgs<Target> {
  targets: readonly Target[];
  send: (target: Target) => Promise<unknown>;
  onProgress: (progress: Progress<Target>) => void;
  /** An abort starts no new calls. */
  signal: AbortSignal;
  concurrency?: number;
}

/** Refusals that apply to every target. */
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

/** After this many failures in a row that are not refusals, the rest is not tried. */
const TROUBLE_IN_A_ROW = 8;

/**
 * Changes the targets with bounded concurrency.
 * @returns why the rest was not tried; null: all were tried, or the user stopped it
 */
export async function runBulk<Target>(args: RunArgs<Target>): Promise<string | null> {
  const { targets, send, onProgress, signal, concurrency = 6 } = args;
  const done: Target[] = [];
  const failed: Failure<Target>[] = [];
  let obstacle: string | null = null;
  let failures = 0;
  const rest = targets.values();
  const work = async (): Promise<void> => {
    while (obstacle === null && !signal.aborted) {
      const next = rest.next();
      if (next.done === true) return;
      const target = next.value;
      try {
        if ((await send(target)) === SKIPPED) continue;
        failures = 0;
        done.push(target);
      } catch (error) {
        const reason = reasonOf(error);
        if (holdsForAll(error)) {
          obstacle ??= reason;
          continue;
        }
        failures = isRefused(error) ? 0 : failures + 1;
        if (failures >= TROUBLE_IN_A_ROW) obstacle ??= reason;
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

/** The server understood the call and refused it. */
function isRefused(error: unknown): boolean {
  return error instanceof CallError && error.status < 500;
}

export function reasonOf(error: unknown): string {
  if (isNamed(error, 'TimeoutError')) return 'SmartPause took too long to answer.';
  if (isNamed(error, 'AbortError')) return 'It was stopped before SmartPause had answered.';
  if (!(error instanceof CallError)) return 'SmartPause could not be reached.';
  return reasonOr(REFUSALS.SERVER_ERROR.message, error);
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name;
}
