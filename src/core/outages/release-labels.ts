import type { OutsideChange } from '../reconciler/hold.ts';
import { ADS_MANAGER, OURS, RELEASE_REASONS } from '../reconciler/hold.ts';
import { CAMPAIGNS } from './activity-text.ts';
import type { OutageResult } from './outage.ts';

/** How a hold ended without a resume. */
export const END_REASONS = [...RELEASE_REASONS, 'not_needed'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** How a pause ended that SmartPause did not end with a resume. A campaign is kept paused as someone decided. */
type ResultOfEnd = KnownResult | 'not_resumed';
type KnownResult = 'resumed_by_user' | 'resumed_outside' | 'kept_paused';

const RESULTS: Partial<Record<EndReason, KnownResult>> = {
  resumed_now: 'resumed_by_user',
  resumed_by_other: 'resumed_outside',
  resumed_outside: 'resumed_outside',
  resumed_by_schedule: 'resumed_outside',
  already_active: 'resumed_outside',
  smartpause_off: 'kept_paused',
  manual_pause: 'kept_paused',
  paused_by_other: 'kept_paused',
  paused_outside: 'kept_paused',
};

export function resultOfEnd(reason: EndReason): ResultOfEnd {
  return RESULTS[reason] ?? 'not_resumed';
}

const reasonsOf = (result: KnownResult) => END_REASONS.filter((reason) => resultOfEnd(reason) === result);

/** For statements, which cannot call a function. */
export const REASONS_OF_RESULT: Record<KnownResult, readonly EndReason[]> = {
  resumed_by_user: reasonsOf('resumed_by_user'),
  resumed_outside: reasonsOf('resumed_outside'),
  kept_paused: reasonsOf('kept_paused'),
};

/** What is known of a hold and its campaign; a result stands for the reason of the end. */
export type HoldFact =
  'never_paused' | 'live' | 'running' | 'seen_running' | 'resumed' | 'resumed_later' | KnownResult;

/** What became of a campaign with a hold in an outage: the first row whose facts all apply. */
export const RESULTS_OF_HOLD: readonly (readonly [result: OutageResult, ...facts: HoldFact[]])[] = [
  ['not_paused', 'never_paused'],
  ['being_checked', 'live', 'running'],
  ['paused', 'live'],
  ['resumed', 'resumed'],
  ['resumed_by_user', 'resumed_later'],
  ['resumed_by_user', 'resumed_by_user'],
  ['resumed_outside', 'resumed_outside'],
  // A hold may end for another reason after a read of its running campaign.
  ['resumed_outside', 'seen_running'],
  ['kept_paused', 'kept_paused'],
  ['not_resumed'],
];

/** Without a pause, such a campaign kept running. */
export const RAN_ON: readonly EndReason[] = ['pause_refused', 'not_needed'];

type ByWhom = Omit<OutsideChange, 'at'> | null;

/** 'in Ads Manager', 'by Night Shift', or 'outside SmartPause' where Meta names no tool. */
export function whereOutside(change: ByWhom): string {
  const tool = change?.tool ?? null;
  if (tool === null) return 'outside SmartPause';
  if (tool === OURS) return 'by another user of SmartPause';
  return tool === ADS_MANAGER ? 'in Ads Manager' : `by ${tool}`;
}

/** 'Robin Vale resumed {campaigns} in Ads Manager', or as much of it as is known. */
export function resumedOutside(change: ByWhom): string {
  const { tool, person } = change ?? { tool: null, person: null };
  if (tool === OURS) return `Another user of SmartPause resumed ${CAMPAIGNS}`;
  if (tool === null || tool === ADS_MANAGER)
    return `${person ?? 'Someone'} resumed ${CAMPAIGNS} ${whereOutside(change)}`;
  return `${tool} resumed ${CAMPAIGNS}${person === null ? '' : ` for ${person}`}`;
}

/** 'it was paused in Ads Manager by Robin Vale on Jan 9; it stays paused' @param on when, as words */
export function pausedOutside(change: ByWhom, on = ''): string {
  const by = change?.person == null ? '' : ` by ${change.person}`;
  return `it was paused ${whereOutside(change)}${by}${on}; it stays paused`;
}

/** Why SmartPause did not resume a campaign. */
export const RELEASE_LABELS: Record<EndReason, string> = {
  smartpause_off: 'SmartPause was turned off for it; it stays as it is',
  manual_pause: 'it was paused manually here; it stays paused',
  paused_by_other: 'another user with access to the ad account paused it; it stays paused',
  not_needed: 'the disruption ended before Meta accepted the pause; it kept running',
  paused_outside: pausedOutside(null),
  already_active: 'it was already running again',
  resumed_outside: 'it was resumed outside SmartPause; SmartPause is now disabled for it',
  resumed_by_schedule: 'another tool turned it on, as it does on other days; SmartPause stays on for it',
  resumed_now: 'you resumed it here; SmartPause stays on for it',
  resumed_by_other: 'another user with access to the ad account resumed it; SmartPause stays on for it',
  archived: 'it was archived; SmartPause is now disabled for it',
  deleted: 'it no longer exists; SmartPause is now disabled for it',
  access_lost: 'we no longer have access to it; it stays as it is',
  ended: 'it ended while it was paused; it stays as it is',
  pause_refused: 'it keeps running and isn’t protected in this disruption, because Meta refused the change',
  resume_refused: 'it stays paused, because Meta refused the change',
};

/** How a live test ended otherwise than by its resume. */
export const TEST_RELEASE_LABELS: Record<EndReason, string> = {
  ...RELEASE_LABELS,
  smartpause_off: 'it was resumed manually',
  not_needed: 'Meta did not accept the pause in time; it kept running',
  paused_outside: 'it was paused already; it stays paused',
  resumed_outside: 'it was resumed outside SmartPause',
  archived: 'it was archived',
  deleted: 'it no longer exists',
  pause_refused: 'it keeps running, because Meta refused the change',
};

/** How a hold ended otherwise than by its resume. */
export interface PauseEnd {
  reason: EndReason;
  /** Meta's own words when it refused a change of the hold for good; null: none. */
  refusal: string | null;
  outside: OutsideChange | null;
  wasPaused: boolean;
}

export function endLabel(
  { reason, refusal }: Pick<PauseEnd, 'reason' | 'refusal'>,
  labels = RELEASE_LABELS,
): string {
  const isRefused = reason === 'pause_refused' || reason === 'resume_refused';
  return isRefused && refusal !== null ? `${labels[reason]}: ${refusal}` : labels[reason];
}
