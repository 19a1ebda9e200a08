/** A user who wants SmartPause on for new campaigns, and one of their ad accounts. */
export interface OnForNew {
  userId: string;
  accountId: string;
}

/** A campaign that appears for the first time, in an ad account whose whole list had been read before. */
export interface NewCampaign {
  id: string;
  accountId: string;
  name: string;
}

/** For whom SmartPause is turned on, and for which campaigns. */
export function turnedOnFor(
  onForNew: readonly OnForNew[],
  campaigns: readonly NewCampaign[],
  subscribers: ReadonlySet<string>,
): (OnForNew & { fresh: NewCampaign[] })[] {
  return onForNew.flatMap((one) => {
    const fresh = campaigns.filter(({ accountId }) => accountId === one.accountId);
    return fresh.length > 0 && subscribers.has(one.userId) ? [{ ...one, fresh }] : [];
  });
}
