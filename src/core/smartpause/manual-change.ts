import type { Instant } from '../time.ts';
import { minutes, seconds } from '../time.ts';
import type { Hold, LiveStatus } from './hold.ts';
import { LATE_WRITE_MS, expiryOf, unconfirmedWriteOf, writtenStatus } from './hold.ts';

/** A user's own pause or resume with the buttons of SmartPause. */
export interface ManualChange {
  id: string;
  userId: string;
  campaignId: string;
  status: 'ACTIVE' | 'PAUSED';
  requestedAt: Instant;
  /** When the last copy without a response was sent; null: no copy can arrive. */
  sentAt: Instant | null;
  /** Meta's own words when it refused a copy of the change for good; null: it did not. */
  metaSaid: string | null;
  /** It was carried out or refused; a copy may still arrive. */
  isOver: boolean;
}

export type ManualStep =
  | { kind: 'send' }
  /** The campaign's status is needed. */
  | { kind: 'read' }
  | { kind: 'done' }
  | { kind: 'refuse'; because: 'busy' | 'failed' }
  | { kind: 'wait'; until: Instant };

/** How long a request waits for the result. */
export const RESULT_TIMEOUT_MS = seconds(25);
/** A copy without a response is repeated after this time. */
const RESEND_MS = seconds(2);
/** A change is not carried out long after it was requested. */
const START_WITHIN_MS = minutes(2);
/** The reconciler looks again this soon while a manual change waits for its own write. */
const NEXT_LOOK_MS = seconds(2);

/**
 * The next step of a manual change. It obeys the same rule as a hold: it waits until no opposite write can arrive.
 * @param around the campaign's hold of any user, and its earlier manual changes
 * @param live the status as just read; undefined: not read
 */
export function decideManual(
  change: ManualChange,
  around: { hold: Hold | null; earlier: readonly ManualChange[] },
  live: LiveStatus | undefined,
  now: Instant,
): ManualStep {
  const { status, sentAt } = change;
  const { hold } = around;
  const mayStart = now < change.requestedAt + START_WITHIN_MS;
  // The reconciler first finds out what became of its own write, and reports it.
  const isUnknown = hold !== null && unconfirmedWriteOf(hold) !== null;
  const isWriting = isUnknown && (expiryOf(hold) ?? 0) + NEXT_LOOK_MS > now;
  const lookAgain: ManualStep = { kind: 'wait', until: now + NEXT_LOOK_MS };
  if (sentAt !== null) {
    // Without access it can no longer be read; a minute later it has failed.
    if (live === undefined)
      return sentAt + 2 * LATE_WRITE_MS <= now ? { kind: 'refuse', because: 'failed' } : { kind: 'read' };
    if (live === status) return isWriting ? lookAgain : { kind: 'done' };
    if (sentAt + LATE_WRITE_MS <= now) return { kind: 'refuse', because: 'failed' };
    if (!mayStart || change.metaSaid !== null) return { kind: 'wait', until: sentAt + LATE_WRITE_MS };
    return sentAt + RESEND_MS > now ? { kind: 'wait', until: sentAt + RESEND_MS } : { kind: 'send' };
  }
  if (!mayStart) return { kind: 'refuse', because: 'busy' };
  if (isWriting) return lookAgain;
  const opposite = [
    hold !== null && writtenStatus(hold) !== status ? (expiryOf(hold) ?? 0) : 0,
    ...around.earlier.filter((one) => one.status !== status).map((one) => expiryOf(one) ?? 0),
  ];
  const until = Math.max(...opposite);
  return until > now ? { kind: 'wait', until } : { kind: 'send' };
}

/**
 * Until when a hold must not write this status: an opposite change of a user is pending, or a copy of it may still
 * arrive. Null: it may write now.
 */
export function manualUntil(
  changes: readonly ManualChange[],
  write: { campaignId: string; status: 'ACTIVE' | 'PAUSED' },
  now: Instant,
): Instant | null {
  const times = changes
    .filter(({ campaignId }) => campaignId === write.campaignId)
    .map((one) => {
      if (one.status === write.status) return 0;
      return one.isOver ? (expiryOf(one) ?? 0) : now + NEXT_LOOK_MS;
    });
  const until = Math.max(0, ...times);
  return until > now ? until : null;
}
