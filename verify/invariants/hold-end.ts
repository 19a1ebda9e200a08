import type { Write } from '../../simulators/meta-graph/state/state.ts';
import type { HoldRow } from './snapshot.ts';

/** Releases after which a campaign may stay paused: the user wanted that, or it is not accessible. */
export const MAY_STAY_PAUSED = [
  'smartpause_off',
  'manual_pause',
  'paused_by_other',
  'access_lost',
  'archived',
  'deleted',
  'ended',
  'resume_refused',
];

/** The observable facts at the end of a hold. */
export interface Evidence {
  /** Meta's writes to the campaign since shortly before the hold began. */
  writes: readonly Write[];
  /** Whether it was a manual pause or resume, or an external change. */
  isManual: (write: Write) => boolean;
  /** A user asked SmartPause to pause it. */
  wasPauseAsked: boolean;
  /** SmartPause was on all the time. */
  isOn: boolean;
  /** The current status on Meta. */
  status: string | undefined;
  /** Meta may have refused a write of the campaign for good. */
  wasRefused: boolean;
  /** Its end date has passed. */
  hasEnded: boolean;
  /** An event may have revoked the access, or Meta was made to answer like that. */
  wasAccessLost: boolean;
}

/**
 * Checks the reason of a release. A wrong one leaves a campaign paused.
 * @returns the contradiction; null: none
 */
export function releaseViolation(
  { outcome, reason, test_until }: HoldRow,
  evidence: Evidence,
): string | null {
  const { writes, isManual } = evidence;
  const was = (status: string, whose: (write: Write) => boolean): boolean =>
    writes.some((write) => write.status === status && whose(write));
  const anyone = (): boolean => true;
  if (outcome === 'resumed')
    return was('ACTIVE', anyone) ? null : 'is recorded as resumed, but no write resumed it';
  switch (reason ?? 'none') {
    case 'smartpause_off':
      return evidence.isOn ? 'is released because SmartPause is off, but it is on' : null;
    case 'manual_pause':
    case 'paused_by_other':
      return evidence.wasPauseAsked ? null : 'is released for a manual pause without a request';
    case 'paused_outside':
      // A test may be requested long after the list was read that shows the campaign running.
      if (test_until !== null) return null;
      return was('PAUSED', isManual) ? null : 'is released for an external pause that did not happen';
    case 'resumed_outside':
      return was('ACTIVE', isManual) ? null : 'is released for an external resume that did not happen';
    case 'archived':
      return evidence.status === 'ARCHIVED' || evidence.status === 'DELETED' ? null : 'is not archived';
    case 'deleted':
      return evidence.status === 'DELETED' || evidence.wasAccessLost ? null : 'is not deleted';
    case 'access_lost':
      return evidence.wasAccessLost ? null : 'is released for lost access, but no access was lost';
    case 'pause_refused':
    case 'resume_refused':
      return evidence.wasRefused ? null : 'is released for a refusal of Meta that did not happen';
    case 'ended':
      return evidence.hasEnded ? null : 'is released for an end date that has not passed';
    default:
      return null;
  }
}

/** Not a transfer to another user, nor a lost response, whose time is corrected. */
export function isSentAgain(was: HoldRow, { attempt, sent_at: sentAt }: HoldRow): boolean {
  return attempt !== was.attempt && sentAt !== null && sentAt !== was.sent_at;
}
