import { useLocation, useSearchParams } from 'react-router';
import { useAuth } from '../auth/auth-provider.tsx';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { wantsCampaigns } from './list-address.ts';

/** Whether this page is the dashboard: home for a subscriber, and for others who ask for their campaigns. */
export function useShowsDashboard(): boolean {
  const { user } = useAuth();
  const { hasActiveSubscription, isLoading, error } = useSubscription();
  const [params] = useSearchParams();
  if (useLocation().pathname !== '/' || user === null || isLoading) return false;
  return hasActiveSubscription || (error === null && user.isInitialized && wantsCampaigns(params));
}
