import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';

/** The configured status of a campaign on the platform; GONE: the platform says there is no such campaign. */
export const LIVE_STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'GONE'] as const;
export type LiveStatus = (typeof LIVE_STATUSES)[number];

export const HOLD_STATES = ['pausing', 'paused', 'resuming'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** The record that we paused one campaign; it lives from the intent to pause until the end. */
export interface Hold {
  id: string;
  campaignId: string;
  state: HoldState;
  /**
   * A write of ours may or may not have reached the platform. Until that is settled an unexpected state is
   * never taken for somebody's hand.
   */
  inDoubt: boolean;
  /** When the last write was sent; null: none yet. */
  sentAt: Instant | null;
  /** The next write must wait until then. */
  retryAt: Instant | null;
  /** First sight of a state that is not of our making; one reading is not enough, since reads can be stale. */
  suspicion: { status: LiveStatus; since: Instant } | null;
}

export const LET_GO_REASONS = [
  'smartpause_off',
  'manual_pause',
  'not_needed',
  'paused_outside',
  'already_active',
  'resumed_outside',
  'archived',
  'deleted',
  'access_lost',
] as const;
export type LetGoReason = (typeof LET_GO_REASONS)[number];

/** The two sights of an outside change lie at least this far apart. */
export const SECOND_SIGHT_MS = seconds(10);
/** A write whose answer was lost may still be carried out by the platform for this long. */
export const LATE_WRITE_MS = seconds(60);

/** One legal step of a hold. `pause` and `resume` call the platform, the others only write down what is. */
export type HoldStep =
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'confirm_paused' }
  | { kind: 'confirm_resumed' }
  | { kind: 'stay_paused' }
  | { kind: 'suspect'; status: LiveStatus }
  | { kind: 'trust' }
  | { kind: 'let_go'; reason: LetGoReason }
  | { kind: 'deactivate'; reason: LetGoReason };

/** The hold after a step that needs no platform; null: it has ended. */
export function afterStep(hold: Hold, step: HoldStep, now: Instant): Hold | null {
  switch (step.kind) {
    case 'pause':
      return { ...hold, state: 'pausing', inDoubt: true, sentAt: now, retryAt: null, suspicion: null };
    case 'resume':
      return { ...hold, state: 'resuming', inDoubt: true, sentAt: now, retryAt: null, suspicion: null };
    case 'confirm_paused':
    case 'stay_paused':
      return { ...hold, state: 'paused', inDoubt: false, retryAt: null, suspicion: null };
    case 'suspect':
      return { ...hold, suspicion: { status: step.status, since: now } };
    case 'trust':
      return { ...hold, suspicion: null };
    case 'confirm_resumed':
    case 'let_go':
    case 'deactivate':
      return null;
  }
}
