import { useUser } from '../auth/auth-provider.tsx';
import { usePageFacts } from '../banners/page-facts.ts';
import { useSubscription } from '../billing/subscription-provider.tsx';
import { useUserStatus } from '../status/api.ts';
import { unableOf } from './banner-facts.ts';
import type { Unable } from './protection.ts';

/** Why an outage would pause nothing at all; null: it would. */
export function useUnable(): Unable {
  const { data: user } = useUserStatus();
  const plansAt = useSubscription().hasActiveSubscription ? null : '/payment';
  return unableOf({ ...usePageFacts(), user, isSetUp: useUser().isInitialized, plansAt });
}
