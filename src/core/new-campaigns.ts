/** A user who wants SmartPause on for new campaigns, and one of their ad accounts. */
export interface Wish {
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
  wishes: readonly Wish[],
  campaigns: readonly NewCampaign[],
  subscribers: ReadonlySet<string>,
): (Wish & { fresh: NewCampaign[] })[] {
  return wishes.flatMap((wish) => {
    const fresh = campaigns.filter(({ accountId }) => accountId === wish.accountId);
    return fresh.length > 0 && subscribers.has(wish.userId) ? [{ ...wish, fresh }] : [];
  });
}
