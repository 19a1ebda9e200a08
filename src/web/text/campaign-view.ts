import type { AdAccount, Campaign, PlatformStatus, UserStatus } from '#contract/shapes.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';

/** SmartPause is on, the campaign is paused, and it is (or is about to be) on its way back (DASH-09). */
export function showsSmartPauseActive(
  campaign: Pick<Campaign, 'smartPauseSetting' | 'status'>,
  status: PlatformStatus | null,
  person: UserStatus | undefined,
): boolean {
  if (campaign.smartPauseSetting !== 'ON' || campaign.status !== 'PAUSED' || person === undefined)
    return false;
  return person.resumeAt !== null || isMatched(status, person);
}

/** The platform's status meets this person's threshold. */
export function isMatched(status: PlatformStatus | null, person: UserStatus | undefined): boolean {
  return status !== null && person !== undefined && meetsThreshold(status.status, person.outageThreshold);
}

/** Currencies whose amounts the ad platform counts in whole units, though some of them have cents. */
const WHOLE_UNITS = new Set('CLP COP CRC HUF IDR ISK JPY KRW PYG TWD VND'.split(' '));

/** '$50.00 / day'; null when the budget is kept elsewhere than on the campaign, or not known. */
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
