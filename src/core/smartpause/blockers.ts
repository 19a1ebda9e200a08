/** Meta refuses: changes before the user confirms the account; changes in the user's role; the whole account. */
export const NOT_PROTECTED = ['unconfirmed', 'role', 'no_access'] as const;
export type NotProtected = (typeof NOT_PROTECTED)[number];

/** Why an outage that begins now would not pause a campaign, for use after 'Not paused: '. */
export const DRY_RUN_LABELS = {
  not_set_up: 'SmartPause isn’t set up yet',
  no_subscription: 'you have no active subscription',
  access_refused: 'Meta refuses access until you log in again',
  unconfirmed: 'Meta refuses changes until you confirm your account in Ads Manager',
  role: 'your role on this ad account can’t pause campaigns',
  no_access: 'Meta refuses SmartPause access to this ad account',
  smartpause_off: 'SmartPause is off',
  smartpause_deactivated: 'SmartPause was disabled after a change in Ads Manager',
  already_paused: 'it’s paused already and stays paused',
  ended: 'its end date has passed',
  scheduled: 'it hasn’t started yet',
  held: 'SmartPause has paused it already',
  held_running: 'Meta shows it running after SmartPause paused it, and SmartPause is checking who resumed it',
  held_by_other_user: 'another user of SmartPause has paused it',
  legacy_advantage: 'Meta doesn’t allow changes to this campaign type through its API',
  pause_refused: 'Meta refused the pause in this disruption',
  resumed_by_schedule: 'another tool turned it on in this disruption, as it does on other days',
  resumed_now: 'it was resumed with “Resume now” in this disruption',
  manual_resume: 'you’re resuming it right now',
};
export type DryRunReason = keyof typeof DRY_RUN_LABELS;
export const DRY_RUN_REASONS = Object.keys(DRY_RUN_LABELS) as DryRunReason[];

/** Why a campaign gets no new hold; the other reasons concern a whole ad account or user. */
export type Blocker = Exclude<
  DryRunReason,
  NotProtected | 'held_running' | 'not_set_up' | 'no_subscription' | 'access_refused'
>;
