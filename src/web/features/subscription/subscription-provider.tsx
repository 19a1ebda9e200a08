import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useMemo } from 'react';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { isTrialExpiringSoon, trialDaysRemaining } from '#core/billing/subscription.ts';
import { LoadFailure } from '../../components/query-content.tsx';
import { RetryButton } from '../../components/retry-button.tsx';
import { hasFailed } from '../../lib/has-failed.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAuth } from '../auth/auth-provider.tsx';
import {
  createCheckoutSession,
  createPortalSession,
  readSubscription,
  refreshSubscription,
  subscriptionQuery,
} from './api.ts';

export interface SubscriptionView {
  hasActiveSubscription: boolean;
  /** Null: never subscribed, or not known yet. */
  subscription: Subscription | null;
  isLoading: boolean;
  /** Why nothing is known; a later failed read keeps the last state. */
  error: Error | null;
  isOnTrial: boolean;
  trialDaysRemaining: number | null;
  isTrialExpiringSoon: boolean;
  /** Whether a new subscription starts with a trial. If the server does not say, the first one does. */
  isTrialAvailable: boolean;
  /** Whether the portal has something to manage. If the server does not say, a subscription counts. */
  hasPortal: boolean;
  /** Makes our server read the payment provider now. */
  refreshSubscription: () => Promise<unknown>;
  /** The address of the checkout. */
  createCheckoutSession: (planType: PlanType) => Promise<string>;
  /** The address of the portal for card, plan and cancellation. */
  createPortalSession: () => Promise<string>;
}

const NOT_LOADED = new Error('The subscription could not be loaded');

const SubscriptionContext = createContext<SubscriptionView | null>(null);

export function SubscriptionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const isSignedIn = useAuth().token !== null;
  const query = useQuery({ ...subscriptionQuery, enabled: isSignedIn });
  const state = isSignedIn ? query.data : undefined;
  const hasNothing = isSignedIn && state === undefined && hasFailed(query);
  const subscription = useMemo(() => readSubscription(state?.subscription ?? null), [state]);
  // Two members change with time alone (SUB-02).
  const now = useNow();
  const daysLeft = trialDaysRemaining(subscription, now);
  const isEndingSoon = isTrialExpiringSoon(subscription, now);
  const isLoading = isSignedIn && query.isPending && !hasNothing;
  const view = useMemo<SubscriptionView>(
    () => ({
      hasActiveSubscription: state?.hasActiveSubscription ?? false,
      subscription,
      isLoading,
      error: hasNothing ? NOT_LOADED : null,
      isOnTrial: subscription?.status === 'trialing',
      trialDaysRemaining: daysLeft,
      isTrialExpiringSoon: isEndingSoon,
      isTrialAvailable: state?.isTrialAvailable ?? (subscription === null && !hasNothing),
      hasPortal: state?.hasPortal ?? subscription !== null,
      refreshSubscription: () => refreshSubscription(client),
      createCheckoutSession,
      createPortalSession,
    }),
    [client, state, subscription, isLoading, hasNothing, daysLeft, isEndingSoon],
  );
  return <SubscriptionContext value={view}>{children}</SubscriptionContext>;
}

export function useSubscription(): SubscriptionView {
  const view = use(SubscriptionContext);
  if (view === null) throw new Error('useSubscription needs a SubscriptionProvider around it');
  return view;
}

const useFailedRead = () => useQuery({ ...subscriptionQuery, retryOnMount: false });

/** Replaces content that needs a subscription that could not be read. */
export function SubscriptionFailure() {
  return <LoadFailure text="Your subscription couldn’t be loaded." query={useFailedRead()} />;
}

/** Below a text that says it. */
export function RetrySubscription() {
  return <RetryButton query={useFailedRead()} size="sm" variant="filled" />;
}
