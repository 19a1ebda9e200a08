import type { ReactNode } from 'react';
import { createContext, use, useMemo } from 'react';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { isTrialExpiringSoon, trialDaysRemaining } from '#core/billing/subscription.ts';
import { useAuth } from './auth.tsx';
import {
  createCheckoutSession,
  createPortalSession,
  readSubscription,
  useRefreshSubscription,
  useSubscriptionState,
} from './api/subscription-queries.ts';
import { useNow } from './hooks/use-now.ts';

export interface SubscriptionView {
  hasActiveSubscription: boolean;
  /** Null: there never was one, or nobody knows yet. */
  subscription: Subscription | null;
  /** Nothing is known yet. */
  isLoading: boolean;
  /** Why nothing is known; a later reading that fails leaves what was known before. */
  error: Error | null;
  isOnTrial: boolean;
  trialDaysRemaining: number | null;
  isTrialExpiringSoon: boolean;
  /** Whether a new subscription would begin with a free trial; if the server does not say, the first one does. */
  isTrialAvailable: boolean;
  /** Whether there is anything to manage in the billing portal; if the server does not say, a subscription is. */
  hasPortal: boolean;
  /** Asks our server again. */
  retry: () => void;
  /** Lets our server ask the payment provider now. */
  refreshSubscription: () => Promise<unknown>;
  /** The link to where the plan is paid. */
  createCheckoutSession: (planType: PlanType) => Promise<string>;
  /** The link to where card, plan and cancellation are managed. */
  createPortalSession: () => Promise<string>;
}

const SubscriptionContext = createContext<SubscriptionView | null>(null);

/** What the person who is here has subscribed to. */
export function SubscriptionProvider({ children }: { children: ReactNode }) {
  const isSomebody = useAuth().token !== null;
  const { data, isPending, error, refetch } = useSubscriptionState(isSomebody);
  const { mutateAsync: refresh } = useRefreshSubscription();
  const state = isSomebody ? data : undefined;
  const subscription = useMemo(() => readSubscription(state?.subscription ?? null), [state]);
  const { isOnTrial, daysRemaining, isExpiringSoon } = useTrial(subscription);

  const view = useMemo<SubscriptionView>(
    () => ({
      hasActiveSubscription: state?.hasActiveSubscription ?? false,
      subscription,
      isLoading: isSomebody && isPending,
      error: isSomebody && state === undefined ? error : null,
      isOnTrial,
      trialDaysRemaining: daysRemaining,
      isTrialExpiringSoon: isExpiringSoon,
      isTrialAvailable: state?.isTrialAvailable ?? subscription === null,
      hasPortal: state?.hasPortal ?? subscription !== null,
      retry: () => void refetch(),
      refreshSubscription: () => refresh(),
      createCheckoutSession,
      createPortalSession,
    }),
    [
      state,
      subscription,
      isSomebody,
      isPending,
      error,
      isOnTrial,
      daysRemaining,
      isExpiringSoon,
      refetch,
      refresh,
    ],
  );
  return <SubscriptionContext value={view}>{children}</SubscriptionContext>;
}

export function useSubscription(): SubscriptionView {
  const view = use(SubscriptionContext);
  if (view === null) throw new Error('useSubscription needs a SubscriptionProvider around it');
  return view;
}

/** It changes with time alone (SUB-02). */
function useTrial(subscription: Subscription | null) {
  const now = useNow();
  return {
    isOnTrial: subscription?.status === 'trialing',
    daysRemaining: trialDaysRemaining(subscription, now),
    isExpiringSoon: isTrialExpiringSoon(subscription, now),
  };
}
