import { RELEASE_REASONS } from '../reconciler/hold.ts';

/** How a hold ended without a resume. */
export const END_REASONS = [...RELEASE_REASONS, 'not_needed'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The user, or someone else with access to it, has resumed the campaign. */
export const RESUMED_REASONS: readonly EndReason[] = [
  ...(['resumed_outside', 'resumed_by_schedule', 'already_active'] as const),
];
/** The user, or someone else with access to it, has decided that the campaign stays paused. */
export const KEPT_PAUSED_REASONS: readonly EndReason[] = [
  'smartpause_off',
  'manual_pause',
  'paused_by_other',
  'paused_outside',
];

/** How a pause ended that SmartPause did not end with a resume. */
export function resultOfEnd(reason: string | null): 'resumed' | 'kept_paused' | 'not_resumed' {
  if (RESUMED_REASONS.some((one) => one === reason)) return 'resumed';
  return KEPT_PAUSED_REASONS.some((one) => one === reason) ? 'kept_paused' : 'not_resumed';
}

/** Why SmartPause did not resume a campaign. */
export const RELEASE_LABELS: Record<EndReason, string> = {
  smartpause_off: 'SmartPause was turned off for it; it stays as it is',
  manual_pause: 'it was paused manually here; it stays paused',
  paused_by_other: 'another user with access to the ad account paused it; it stays paused',
  not_needed: 'the disruption ended before Meta accepted the pause; it kept running',
  paused_outside: 'it was paused in Ads Manager; it stays paused',
  already_active: 'it was already running again',
  resumed_outside: 'it was resumed outside SmartPause; SmartPause is now disabled for it',
  resumed_by_schedule: 'another tool turned it on, as it does on other days; SmartPause stays on for it',
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

/** @param refusal Meta's own words when it refused a change of the hold for good; null: none */
export function withRefusal(label: string, reason: EndReason, refusal: string | null): string {
  const isRefused = reason === 'pause_refused' || reason === 'resume_refused';
  return isRefused && refusal !== null ? `${label}: ${refusal}` : label;
}
