import type { AdAccount, Campaign, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { hasEnded } from '#core/campaign.ts';
import { LEGACY_CAMPAIGN_WORDS } from '#core/labels.ts';
import { moneyLabel } from '#core/money.ts';
import { clockTime, fullTime, shortDate } from '#core/new-york.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { besideOwn, dateOf } from '../../lib/times.ts';
import type { ShownLevel } from '../status/api.ts';

/** SmartPause is on, the campaign is paused, and a resume is scheduled or will be (DASH-09). */
export function showsSmartPauseActive(
  campaign: Pick<Campaign, 'smartPauseSetting' | 'status' | 'undelivered' | 'held' | 'notResumed'>,
  status: ShownLevel | null,
  user: UserStatus | undefined,
): boolean {
  // It is not resumed after its end.
  if (campaign.undelivered?.why === 'ended' || campaign.notResumed !== undefined) return false;
  if (campaign.smartPauseSetting !== 'ON' || campaign.status !== 'PAUSED' || user === undefined) return false;
  const isKept = status?.status === 'UNKNOWN' && campaign.held === true;
  return isKept || user.resumeAt !== null || isMatched(status, user);
}

/** Meta delivers it now, so an outage would pause it. */
export function isDelivered({ status, undelivered }: Pick<Campaign, 'status' | 'undelivered'>): boolean {
  return status === 'ACTIVE' && undelivered === undefined;
}

/** Neither a status nor SmartPause changes anything about it. */
export function isOver({ status, undelivered }: Pick<Campaign, 'status' | 'undelivered'>): boolean {
  return (status !== 'ACTIVE' && status !== 'PAUSED') || undelivered?.why === 'ended';
}

/** The badge of a campaign that Meta does not deliver now; null: its status says it all. */
export function undeliveredCopy({ status, undelivered }: Pick<Campaign, 'status' | 'undelivered'>) {
  if (undelivered === undefined) return null;
  const at = Date.parse(undelivered.at);
  if (undelivered.why === 'scheduled')
    // A paused campaign does not start by itself.
    return status === 'ACTIVE'
      ? {
          label: `Scheduled ${shortDate(at)}`,
          color: 'blue',
          why: `Starts on ${fullTime(at)}${besideOwn(at)}. Until then SmartPause doesn’t need to pause it.`,
        }
      : null;
  if (status !== 'ACTIVE' && status !== 'PAUSED') return null;
  return {
    label: `Ended ${shortDate(at)}`,
    color: 'gray',
    why: `Ended on ${fullTime(at)}${besideOwn(at)}. SmartPause doesn’t pause or resume it unless you move its end date.`,
  };
}

const REENABLE =
  'SmartPause was disabled for this campaign because its status was changed outside SmartPause. You can re-enable it with the switch.';

/** What its badges mean, where they do not say it all. The row's menu tells those who use no pointer. */
export function badgesCopy(campaign: Campaign): string | undefined {
  const disabled = campaign.smartPauseSetting === 'DEACTIVATED' ? REENABLE : undefined;
  return [undeliveredCopy(campaign)?.why, disabled].filter(Boolean).join(' ') || undefined;
}

/** SmartPause paused it and will resume it; as the badge says where the server does not (UX-03). */
export function isHeld(campaign: Campaign, status: ShownLevel | null, user: UserStatus | undefined): boolean {
  return campaign.held ?? showsSmartPauseActive(campaign, status, user);
}

/** SmartPause paused it for another user, and resumes it. */
export function isHeldByOther({
  heldByOther,
  status,
  undelivered,
}: Pick<Campaign, 'heldByOther' | 'status' | 'undelivered'>): boolean {
  return heldByOther === true && status === 'PAUSED' && undelivered?.why !== 'ended';
}

/**
 * Of a held campaign (UX-20), once. A live test has its own button, and a refused resume 'Retry now'. One whose resume Meta
 * refused for good has no hold: the outage would pause it again.
 */
export function canResumeNow(
  { held, testUntil, refused, pendingStatus, notResumed }: Campaign,
  isInOutage: boolean,
): boolean {
  if (pendingStatus === 'ACTIVE' || refused !== undefined) return false;
  return held === true ? testUntil === undefined : notResumed !== undefined && !isInOutage;
}

/** Of a held campaign: who or what has paused it. */
export function pausedBy({ isPausedAll, isPausedEarly }: Pick<Campaign, 'isPausedAll' | 'isPausedEarly'>) {
  if (isPausedAll === true) return 'by you';
  return isPausedEarly === true ? 'on an early warning' : 'by SmartPause';
}

/** Meta has not confirmed the user's own pause or resume. */
const PENDING = { PAUSED: 'Pausing: waiting for Meta', ACTIVE: 'Resuming: waiting for Meta' };

/**
 * What happens to the campaign, beside its status.
 * @param resumes when a held one does, such as 'resumes at 9:10 PM EST'; empty: unknown
 */
export function statesOf(campaign: Campaign, resumes = ''): string[] {
  const {
    pendingStatus,
    held,
    heldSince,
    testUntil,
    isBeingChecked,
    otherSchedule,
    refused,
    postponedUntil,
    leftOn,
    notResumed,
  } = campaign;
  const states = refused === undefined ? [] : refusedCopy(refused);
  if (pendingStatus !== undefined && refused === undefined) states.push(PENDING[pendingStatus]);
  const isResuming = pendingStatus === 'ACTIVE';
  const isKept = held === true && refused === undefined && !isResuming;
  if (isKept) states.push(`Paused ${pausedBy(campaign)}${sinceCopy(heldSince)}`);
  const isDue = isKept && postponedUntil === undefined;
  if (isDue && resumes !== '' && isBeingChecked !== true && testUntil === undefined) states.push(resumes);
  if (postponedUntil !== undefined && !isResuming)
    states.push(`Another tool has it off; resumes${sinceCopy(postponedUntil)} at the latest`);
  if (notResumed !== undefined && held !== true && !isResuming) states.push(notResumedCopy(notResumed));
  if (isBeingChecked === true) states.push('Running on Meta, being checked');
  if (leftOn !== undefined) states.push(LEFT_ON[leftOn]);
  if (testUntil !== undefined && campaign.status === 'PAUSED' && refused === undefined)
    states.push(`Test: resumes${sinceCopy(testUntil)}`);
  else if (isHeldByOther(campaign)) states.push('Paused by another SmartPause user');
  if (campaign.isLegacyAdvantage === true) states.push(LEGACY_CAMPAIGN_WORDS);
  // Of a held campaign 'Why?' has them.
  if (otherSchedule !== undefined && held !== true && !isOver(campaign)) states.push(otherSchedule.text);
  return states;
}

const LEFT_ON = {
  resumed_now: 'Resumed early, stays on',
  resumed_by_schedule: 'Resumed by another tool, stays on',
  pause_refused: 'Meta refused to pause it',
};

type Refused = NonNullable<Campaign['refused']>;

function refusedCopy({ action, retryAt }: Refused): string[] {
  const next = retryAt === null ? [] : [`next try${sinceCopy(retryAt)}`];
  return [`Meta refuses to ${action} it`, ...next];
}

function notResumedCopy({ words }: NonNullable<Campaign['notResumed']>): string {
  return `Not resumed: Meta refused${words === null ? '' : ` (${words})`}`;
}

/** Why Meta refuses a change, in its words. */
export function metaSays({ words }: Pick<Refused, 'words'>): string {
  return words === null ? 'Confirm your account in Ads Manager first.' : `Meta says “${words}”.`;
}

/** ' at 9:10 PM EST', or ' on Jan 8, 9:10 PM EST': without the year it fits into the column. With the own time. */
function sinceCopy(time: string | undefined): string {
  if (time === undefined) return '';
  const at = Date.parse(time);
  const isToday = dateOf(at) === dateOf(serverNow());
  return ` ${isToday ? 'at' : `on ${shortDate(at)},`} ${clockTime(at)}${besideOwn(at)}`;
}

/** What an outage does with a campaign that has no state of its own; null: it needs no word. */
export function outlookOf(
  campaign: Campaign,
  { noDelivery, notProtected }: Pick<AdAccount, 'noDelivery' | 'notProtected'>,
  { isOn, isAble, isMatched }: { isOn: boolean; isAble: boolean; isMatched: boolean },
): 'Pauses' | 'Keeps spending' | 'Stays paused' | 'Not delivering' | null {
  const { status, smartPauseSetting, undelivered } = campaign;
  if (isOver(campaign) || undelivered !== undefined || smartPauseSetting === undefined) return null;
  if (status === 'PAUSED') return 'Stays paused';
  if (noDelivery !== undefined && !(isOn && isAble)) return 'Not delivering';
  if (!isOn || !isAble || notProtected !== undefined) return 'Keeps spending';
  // It is being paused.
  return isMatched ? null : 'Pauses';
}

/** The platform's status meets this user's threshold; of a threshold of a newer server, the counts tell. */
export function isMatched(status: ShownLevel | null, user: UserStatus | undefined): boolean {
  if (status === null || user === undefined) return false;
  const { outageThreshold: threshold, protectedRunning } = user;
  return threshold === null ? protectedRunning !== undefined : meetsThreshold(status.status, threshold);
}

/** An early warning pauses the campaigns of this user now. */
export function isPausedEarlyBy(
  status: Pick<PlatformStatus, 'warning'> | null,
  user: UserStatus | undefined,
): boolean {
  return status?.warning?.pauses === true && user?.earlyWarning === 'pause';
}

/** '$50/day'; null when the campaign has no budget of its own, or it is unknown. */
export function budgetLabel(
  dailyBudget: Campaign['dailyBudget'],
  currency: AdAccount['currency'],
): string | null {
  const money = dailyBudget == null ? null : moneyLabel(dailyBudget, currency, true);
  return money === null ? null : `${money}/day`;
}

/** The counts of a list that the page has, which is newer than the counts of the server. */
export function countsIn(campaigns: readonly Campaign[]) {
  const running = campaigns.filter(
    (one) => !hasEnded(one.status) && one.undelivered === undefined && one.isLegacyAdvantage !== true,
  );
  return {
    all: running.length,
    protectedCampaigns: running.filter(({ smartPauseSetting }) => smartPauseSetting === 'ON').length,
    paused: campaigns.filter(({ held }) => held === true).length,
  };
}
