import type { DeliveryTimes } from './campaign.ts';

/** An ad account as the ad platform lists it. */
export interface PlatformAdAccount {
  id: string;
  name: string;
  currency: string;
  /** The user's role on the account allows changes of campaigns. */
  mayPause: boolean;
  /** Meta's codes, see `notDelivering`; null: not known. */
  accountStatus: number | null;
  disableReason: number | null;
  /** An IANA name that `Intl` knows; null: not known. */
  timeZone: string | null;
}

/** A campaign as the ad platform lists it. */
export interface PlatformCampaign extends DeliveryTimes {
  id: string;
  name: string;
  /** The configured status: the effective one lags behind a write (IN_PROCESS). */
  status: string;
  objective: string;
  /** In the minor unit of the account's currency; null when it is kept on the ad sets. */
  dailyBudget: number | null;
  /** It cannot be changed through Meta's API. */
  isLegacyAdvantage: boolean;
}
