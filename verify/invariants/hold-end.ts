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
  /** Whether Meta has such a write of the campaign since shortly before the hold began. */
  wasWritten: (status: string, by: 'anyone' | 'user') => boolean;
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
 * @returns the contradiction; none: no violation
 */
export function releaseViolation({ outcome, reason, test_until }: HoldRow, given: Evidence): string[] {
  if (outcome === 'resumed')
    return given.wasWritten('ACTIVE', 'anyone') ? [] : ['is recorded as resumed, but no write resumed it'];
  const isTrue: Record<string, boolean> = {
    smartpause_off: !given.isOn,
    manual_pause: given.wasPauseAsked,
    paused_by_other: given.wasPauseAsked,
    // A test may be requested long after the list was read that shows the campaign running.
    paused_outside: test_until !== null || given.wasWritten('PAUSED', 'user'),
    resumed_outside: given.wasWritten('ACTIVE', 'user'),
    archived: given.status === 'ARCHIVED' || given.status === 'DELETED',
    deleted: given.status === 'DELETED' || given.wasAccessLost,
    access_lost: given.wasAccessLost,
    pause_refused: given.wasRefused,
    resume_refused: given.wasRefused,
    ended: given.hasEnded,
  };
  return isTrue[reason ?? ''] === false ? [`is released as ${reason ?? ''}, which did not happen`] : [];
}
