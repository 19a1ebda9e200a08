/** Meta refuses: changes before the user confirms the account; changes in the user's role; the whole account. */
export const NOT_PROTECTED = ['unconfirmed', 'role', 'no_access'] as const;
export type NotProtected = (typeof NOT_PROTECTED)[number];

/**
 * Why SmartPause does not pause a campaign, for use after 'Not paused: ': if an outage were now (the dry run), and told
 * of one that was. Null: only the other can have the reason.
 */
const REASONS = {
  not_set_up: ['SmartPause isn’t set up yet', 'SmartPause was not set up yet'],
  no_subscription: ['you have no active subscription', 'you had no active subscription'],
  access_refused: [
    'Meta refuses access until you log in again',
    'Meta refused access until you log in again',
  ],
  unconfirmed: ['Meta refuses changes until you confirm your account in Ads Manager', null],
  role: ['your role on this ad account can’t pause campaigns', null],
  no_access: [
    'Meta refuses SmartPause access to this ad account',
    'Meta refused SmartPause access to the ad account',
  ],
  below_threshold: [null, 'the disruption stayed below your threshold'],
  smartpause_off: ['SmartPause is off', 'SmartPause was off for it'],
  smartpause_deactivated: [
    'SmartPause was disabled after a change in Ads Manager',
    'SmartPause was disabled for it after a change in Ads Manager',
  ],
  already_paused: ['it’s paused already and stays paused', 'it was already paused before the outage'],
  paused_manually: [null, 'it was paused manually'],
  paused_in_ads_manager: [null, 'it was paused in Ads Manager'],
  ended: ['its end date has passed', 'its end date had passed'],
  scheduled: ['it hasn’t started yet', 'it had not started yet'],
  no_delivery: [null, 'Meta delivered nothing in its ad account'],
  held: ['SmartPause has paused it already', null],
  held_before: [null, 'SmartPause had kept it paused since an earlier outage'],
  paused_all: [null, 'you had paused it with “Pause all now”'],
  held_running: [
    'Meta shows it running after SmartPause paused it, and SmartPause is checking who resumed it',
    null,
  ],
  held_by_other_user: [
    'another user of SmartPause has paused it',
    'another user of SmartPause had paused it',
  ],
  legacy_advantage: [
    'Meta doesn’t allow changes to this campaign type through its API',
    'Meta does not allow changes to this campaign type through its API',
  ],
  pause_refused: ['Meta refused the pause in this disruption', null],
  resumed_by_schedule: ['another tool turned it on in this disruption, as it does on other days', null],
  resumed_now: ['it was resumed with “Resume now” in this disruption', null],
  manual_resume: ['you’re resuming it right now', null],
  refused: [null, 'Meta refused the change'],
  unanswered: [null, 'Meta did not confirm the change before the outage ended'],
  not_in_time: [null, 'the outage ended before Meta carried out the pause'],
  not_recorded: [null, 'the reason was not recorded'],
} as const;

type In<Tense extends 0 | 1> = {
  [Reason in keyof typeof REASONS]: (typeof REASONS)[Reason][Tense] extends string ? Reason : never;
}[keyof typeof REASONS];

function labelsIn<Tense extends 0 | 1>(tense: Tense): Record<In<Tense>, string> {
  const said = Object.entries<readonly (string | null)[]>(REASONS).map(([reason, one]) => [
    reason,
    one[tense],
  ]);
  return Object.fromEntries(said.filter(([, label]) => label !== null)) as Record<In<Tense>, string>;
}

export type DryRunReason = In<0>;
export const DRY_RUN_LABELS = labelsIn(0);
export const DRY_RUN_REASONS = Object.keys(DRY_RUN_LABELS) as DryRunReason[];

const IDLE = new Set<DryRunReason>(['already_paused', 'ended', 'scheduled', 'held', 'held_by_other_user']);

/** A campaign with this reason runs, and would run on. */
export function keepsSpending(reason: DryRunReason): boolean {
  return !IDLE.has(reason);
}

export type NotPausedReason = In<1>;
export const NOT_PAUSED_LABELS = labelsIn(1);
export const NOT_PAUSED_REASONS = Object.keys(NOT_PAUSED_LABELS) as NotPausedReason[];

/** Why a campaign gets no new hold; the other reasons concern a whole ad account or user. */
export type Blocker = Exclude<
  DryRunReason,
  NotProtected | 'held_running' | 'not_set_up' | 'no_subscription' | 'access_refused'
>;
