import type { Write } from '../../simulators/meta-graph/state/state.ts';
import type { HoldRow } from './snapshot.ts';

/** What can be known from the outside when a hold has just ended. */
export interface Evidence {
  /** What the platform did to the campaign since the hold was begun, and shortly before that. */
  writes: readonly Write[];
  /** Whether it was a manual act or an external change. */
  isManual: (write: Write) => boolean;
  /** A user asked SmartPause to pause it. */
  wasPauseAsked: boolean;
  /** SmartPause was on all the time. */
  isOn: boolean;
  /** The platform's own word for it now. */
  status: string | undefined;
  /** Something happened by which access can be lost, or Meta was made to answer as if it was. */
  wasAccessLost: boolean;
}

/**
 * Whether the reason of a release is true. A wrong one leaves a campaign paused.
 * @returns what speaks against it; null: nothing
 */
export function releaseViolation({ outcome, reason }: HoldRow, evidence: Evidence): string | null {
  const { writes, isManual } = evidence;
  const was = (status: string, whose: (write: Write) => boolean): boolean =>
    writes.some((write) => write.status === status && whose(write));
  const anyone = (): boolean => true;
  if (outcome === 'resumed')
    return was('ACTIVE', anyone) ? null : 'is said to be resumed, and nobody has done it';
  switch (reason ?? 'none') {
    case 'smartpause_off':
      return evidence.isOn ? 'is given up because SmartPause is off, and it is on' : null;
    case 'manual_pause':
    case 'paused_by_other':
      return evidence.wasPauseAsked ? null : 'is given up for a pause by hand that nobody asked for';
    case 'paused_outside':
      return was('PAUSED', isManual) ? null : 'is given up for a pause outside that there was not';
    case 'resumed_outside':
      return was('ACTIVE', isManual) ? null : 'is given up for a resume outside that there was not';
    case 'archived':
      return evidence.status === 'ARCHIVED' || evidence.status === 'DELETED' ? null : 'is not archived';
    case 'deleted':
      return evidence.status === 'DELETED' || evidence.wasAccessLost ? null : 'is not deleted';
    case 'access_lost':
      return evidence.wasAccessLost ? null : 'is given up for lost access, and nobody has lost it';
    default:
      return null;
  }
}
