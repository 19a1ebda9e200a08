import { useTimeout } from '@mantine/hooks';
import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { userApi } from '#contract/user-api.ts';
import type { Subscription as SentSubscription, SubscriptionState } from '#contract/shapes.ts';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { needsPayment } from '#core/billing/subscription.ts';
import { minutes, seconds } from '#core/time.ts';
import { CallError, call, ifSupported } from '../../lib/api-client.ts';
import { keys } from '../../lib/queries.ts';

/** The subscription as our server stores it; webhooks update it. */
export const subscriptionQuery = queryOptions({
  queryKey: keys.subscription,
  queryFn: ({ signal }) => call(userApi.subscription, { signal }),
  refetchInterval: minutes(1),
});

/** Reads the payment provider now; a server without this call returns its stored state. */
export async function refreshSubscription(client: QueryClient): Promise<SubscriptionState> {
  const state = (await ifSupported(call(userApi.refreshSubscription))) ?? (await call(userApi.subscription));
  // An earlier read must not overwrite the state.
  await client.cancelQueries({ queryKey: keys.subscription });
  client.setQueryData(subscriptionQuery.queryKey, state);
  return state;
}

export async function createCheckoutSession(planType: PlanType): Promise<string> {
  const { checkoutUrl } = await call(userApi.createCheckoutSession, { body: { planType } });
  return checkoutUrl ?? nowhere('No checkout URL returned');
}

export async function createPortalSession(): Promise<string> {
  const { portalUrl } = await call(userApi.createPortalSession, { body: {} });
  return portalUrl ?? nowhere('No portal URL returned');
}

function nowhere(reason: string): never {
  throw new CallError(reason, { status: 200, reason });
}

/** After a checkout: polls the payment provider until there is a subscription, after 30 s less often. */
export function useActivation() {
  const client = useQueryClient();
  const [isLate, setIsLate] = useState(false);
  useTimeout(() => setIsLate(true), seconds(30), { autoInvoke: true });
  const { data, error } = useQuery({
    queryKey: keys.activation,
    queryFn: () => refreshSubscription(client),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => !isSettled(state.data) && seconds(isLate ? 30 : 3),
  });
  return { data, error, isLate };
}

/** Waiting changes neither an active subscription nor one with an open payment. */
function isSettled(state: SubscriptionState | undefined): boolean {
  return state !== undefined && (state.hasActiveSubscription || needsPayment(state.subscription));
}

/** Converts timestamps to the instants of the core. */
export function readSubscription(sent: SentSubscription | null): Subscription | null {
  if (sent === null) return null;
  const { renews, currentPeriodEnd, canceledAt, trialEnd, ...rest } = sent;
  return {
    ...rest,
    // Without the field, a subscription renews unless it is canceled.
    renews: renews ?? (canceledAt === null && rest.status !== 'canceled'),
    currentPeriodEnd: Date.parse(currentPeriodEnd),
    canceledAt: canceledAt === null ? null : Date.parse(canceledAt),
    trialEnd: trialEnd === null ? null : Date.parse(trialEnd),
  };
}
