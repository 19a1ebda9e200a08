import type { AdAccount } from '#contract/shapes.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { usePageFacts } from '../banners/use-page-facts.ts';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { unableOf } from './dashboard-facts.ts';
import { isMatched } from './campaign-view.ts';
import type { Unable } from './protection.ts';
import { countsLabel } from './protection.ts';

/** Why an outage would pause nothing at all; null: it would. */
export function useUnable(): Unable {
  const { data: user } = useUserStatus();
  const plansAt = useSubscription().hasActiveSubscription ? null : '/payment';
  return unableOf({ ...usePageFacts(), user, isSetUp: useUser().isInitialized, plansAt });
}

/** Says of an ad account how many campaigns are protected or paused. */
export function useCounts(): (account: AdAccount, refused?: number) => string {
  const { data: user } = useUserStatus();
  const isInMatch = isMatched(usePlatformLevel(), user);
  const unable = useUnable();
  return (account, refused) => countsLabel(account, user, unable, { isInMatch, refused });
}
