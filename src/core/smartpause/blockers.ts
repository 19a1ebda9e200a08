/** Why a campaign gets no new hold. */
const BLOCKERS = [
  'smartpause_off',
  'smartpause_deactivated',
  'already_paused',
  'ended',
  'scheduled',
  'held',
  'held_by_other_user',
  'legacy_advantage',
  'pause_refused',
  'manual_resume',
] as const;
export type Blocker = (typeof BLOCKERS)[number];

/** Why an outage that begins now would not pause a campaign. */
export const DRY_RUN_REASONS = ['not_set_up', 'no_subscription', 'access_refused', ...BLOCKERS] as const;
export type DryRunReason = (typeof DRY_RUN_REASONS)[number];

/** For use after 'Not paused: '. */
export const DRY_RUN_LABELS: Record<DryRunReason, string> = {
  not_set_up: 'SmartPause isn’t set up yet',
  no_subscription: 'you have no active subscription',
  access_refused: 'Meta refuses access until you log in again',
  smartpause_off: 'SmartPause is off',
  smartpause_deactivated: 'SmartPause was disabled after a change in Ads Manager',
  already_paused: 'it’s paused already and stays paused',
  ended: 'its end date has passed',
  scheduled: 'it hasn’t started yet',
  held: 'SmartPause has paused it already',
  held_by_other_user: 'another user of SmartPause has paused it',
  legacy_advantage: 'Meta doesn’t allow changes to this campaign type through its API',
  pause_refused: 'Meta refused the pause in this disruption',
  manual_resume: 'you’re resuming it right now',
};
