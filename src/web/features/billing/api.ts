import { useWindowEvent } from '@mantine/hooks';
import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import type { Subscription as SentSubscription, SubscriptionState } from '#contract/shapes.ts';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { needsPayment } from '#core/billing/subscription.ts';
import { minutes, seconds } from '#core/time.ts';
import { CallError, call, errorMessage, ifSupported } from '../../lib/api-client.ts';
import { keys } from '../../lib/queries.ts';

const subscriptionQuery = queryOptions({
  queryKey: keys.subscription,
  queryFn: ({ signal }) => call(userApi.subscription, { signal }),
  refetchInterval: minutes(1),
});

/** The subscription as our server stores it; webhooks update it. */
export function useSubscriptionState(enabled: boolean) {
  return useQuery({ ...subscriptionQuery, enabled });
}

/** Reads the payment provider now; a server without this call returns its stored state. */
async function readFromProvider(): Promise<SubscriptionState> {
  return (await ifSupported(call(userApi.refreshSubscription))) ?? call(userApi.subscription);
}

/** The subscription as the payment provider has it now. */
export function useRefreshSubscription() {
  const client = useQueryClient();
  return useMutation({ mutationFn: readFromProvider, onSuccess: (state) => keep(client, state) });
}

/** Cancels reads that began before, so that they cannot overwrite the state. */
async function keep(client: QueryClient, state: SubscriptionState): Promise<void> {
  await client.cancelQueries({ queryKey: keys.subscription });
  client.setQueryData(subscriptionQuery.queryKey, state);
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

export type Checkout = ReturnType<typeof useCheckout>;

/** Leads to the payment provider. */
export function useCheckout() {
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: createCheckoutSession,
    onSuccess: (address) => window.location.assign(address),
  });
  // The browser's back button may restore this page with its button still busy.
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) reset();
  });
  return {
    start: mutate,
    isProcessing: isPending || isSuccess,
    failure: error === null ? null : errorMessage('Failed to create checkout session', error),
  };
}

/** After this many reads the user sees that it takes longer; a confirmation takes 1 to 2 s. */
const QUICK_READS = 10;

/** After a checkout: polls the payment provider until there is a subscription. */
export function useActivation() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: keys.activation,
    queryFn: async () => {
      const state = await readFromProvider();
      await keep(client, state);
      return state;
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => !isSettled(state.data) && seconds(isLate(state) ? 30 : 3),
  });
  const state = client.getQueryState(keys.activation);
  return { data, error, isLate: state !== undefined && isLate(state) };
}

function isLate(state: { dataUpdateCount: number; errorUpdateCount: number }): boolean {
  return state.dataUpdateCount + state.errorUpdateCount >= QUICK_READS;
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
