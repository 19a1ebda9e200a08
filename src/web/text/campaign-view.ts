import type { AdAccount, Campaign, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';

/** SmartPause is on, the campaign is paused, and a resume is scheduled or will be (DASH-09). */
export function showsSmartPauseActive(
  campaign: Pick<Campaign, 'smartPauseSetting' | 'status'>,
  status: PlatformStatus | null,
  user: UserStatus | undefined,
): boolean {
  if (campaign.smartPauseSetting !== 'ON' || campaign.status !== 'PAUSED' || user === undefined) return false;
  return user.resumeAt !== null || isMatched(status, user);
}

/** SmartPause paused it and will resume it; as the badge says where the server does not (UX-03). */
export function isHeld(
  campaign: Campaign,
  status: PlatformStatus | null,
  user: UserStatus | undefined,
): boolean {
  return campaign.held ?? showsSmartPauseActive(campaign, status, user);
}

/** What the status means for the row of a campaign. */
export function smartPauseView(
  campaign: Campaign,
  status: PlatformStatus | null,
  user: UserStatus | undefined,
) {
  return {
    smartPauseActive: showsSmartPauseActive(campaign, status, user),
    isHeld: isHeld(campaign, status, user),
    isMatched: isMatched(status, user),
  };
}

/** The platform's status meets this user's threshold. */
export function isMatched(status: PlatformStatus | null, user: UserStatus | undefined): boolean {
  return status !== null && user !== undefined && meetsThreshold(status.status, user.outageThreshold);
}

/** Currencies that Meta counts in whole units, though some of them have cents. */
const WHOLE_UNITS = new Set('CLP COP CRC HUF IDR ISK JPY KRW PYG TWD VND'.split(' '));

/** '$50.00 / day'; null when the campaign has no budget of its own, or it is unknown. */
export function budgetLabel(
  dailyBudget: Campaign['dailyBudget'],
  currency: AdAccount['currency'],
): string | null {
  if (dailyBudget == null || currency === undefined || !/^[A-Z]{3}$/.test(currency)) return null;
  const whole = WHOLE_UNITS.has(currency);
  const amount = whole ? dailyBudget : dailyBudget / 100;
  const money = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    ...(whole && { maximumFractionDigits: 0 }),
  });
  return `${money.format(amount)} / day`;
}
