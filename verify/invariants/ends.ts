import type { Write } from '../../simulators/meta-graph/state/state.ts';
import type { HoldRow } from './snapshot.ts';

/** What can be known from the outside when a hold has just ended. */
export interface Grounds {
  /** What the platform did to the campaign since the hold was begun, and shortly before that. */
  writes: readonly Write[];
  /** Of these, what people did by hand, through us or elsewhere. */
  isByHand: (write: Write) => boolean;
  /** Somebody asked us to pause it. */
  wasPauseAsked: boolean;
  /** SmartPause was on all the time. */
  isOn: boolean;
  /** The platform's own word for it now. */
  status: string | undefined;
  /** Something happened by which access can be lost, or Meta was made to answer as if it was. */
  wasAccessLost: boolean;
}

/**
 * Whether the reason for which we leave a campaign alone is true. A wrong one strands it.
 * @returns what speaks against it; null: nothing
 */
export function whyNotGrounded({ outcome, reason }: HoldRow, grounds: Grounds): string | null {
  const { writes, isByHand } = grounds;
  const was = (status: string, whose: (write: Write) => boolean): boolean =>
    writes.some((write) => write.status === status && whose(write));
  const anybody = (): boolean => true;
  if (outcome === 'resumed')
    return was('ACTIVE', anybody) ? null : 'is said to be resumed, and nobody has done it';
  switch (reason ?? 'none') {
    case 'smartpause_off':
      return grounds.isOn ? 'is given up because SmartPause is off, and it is on' : null;
    case 'manual_pause':
    case 'paused_by_other':
      return grounds.wasPauseAsked ? null : 'is given up for a pause by hand that nobody asked for';
    case 'paused_outside':
      return was('PAUSED', isByHand) ? null : 'is given up for a pause outside that there was not';
    case 'resumed_outside':
      return was('ACTIVE', isByHand) ? null : 'is given up for a resume outside that there was not';
    case 'archived':
      return grounds.status === 'ARCHIVED' || grounds.status === 'DELETED' ? null : 'is not archived';
    case 'deleted':
      return grounds.status === 'DELETED' || grounds.wasAccessLost ? null : 'is not deleted';
    case 'access_lost':
      return grounds.wasAccessLost ? null : 'is given up for lost access, and nobody has lost it';
    default:
      return null;
  }
}
