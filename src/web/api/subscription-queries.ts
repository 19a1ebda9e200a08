import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { peoplesApi } from '#contract/peoples-api.ts';
import type { Subscription as SentSubscription, SubscriptionState } from '#contract/shapes.ts';
import type { PlanType, Subscription } from '#core/billing/subscription.ts';
import { needsPayment } from '#core/billing/subscription.ts';
import { minutes, seconds } from '#core/time.ts';
import { CallError, call, orNull } from './call.ts';
import { keys } from './queries.ts';

/** A confirmation takes a second or two; after this many readings somebody is told that it takes longer. */
const READINGS = 10;
const READ_EVERY_MS = seconds(3);

const subscriptionQuery = queryOptions({
  queryKey: keys.subscription,
  queryFn: () => call(peoplesApi.subscription),
  refetchInterval: minutes(1),
});

/** As our server has it; webhooks keep that true. */
export function useSubscriptionState(enabled: boolean) {
  return useQuery({ ...subscriptionQuery, enabled });
}

/** Reads the payment provider now; a server without this call answers what it knows itself. */
async function readFromProvider(): Promise<SubscriptionState> {
  return (await orNull(call(peoplesApi.refreshSubscription))) ?? call(peoplesApi.subscription);
}

/** As the payment provider has it now. */
export function useRefreshSubscription() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: readFromProvider,
    onSuccess: (state) => keep(client, state),
  });
}

/** No answer from before may overwrite it. */
async function keep(client: QueryClient, state: SubscriptionState): Promise<void> {
  await client.cancelQueries({ queryKey: keys.subscription });
  client.setQueryData(subscriptionQuery.queryKey, state);
}

export async function createCheckoutSession(planType: PlanType): Promise<string> {
  const { checkoutUrl } = await call(peoplesApi.createCheckoutSession, { body: { planType } });
  return checkoutUrl ?? nowhere('No checkout URL returned');
}

export async function createPortalSession(): Promise<string> {
  const { portalUrl } = await call(peoplesApi.createPortalSession, { body: {} });
  return portalUrl ?? nowhere('No portal URL returned');
}

function nowhere(reason: string): never {
  throw new CallError(reason, { status: 200, reason });
}

/** Right after a checkout: asks the payment provider until there is a subscription, for a while. */
export function useActivation() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: keys.activation,
    queryFn: async () => {
      const state = await readFromProvider();
      await keep(client, state);
      return state;
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) =>
      isSettled(state.data) || readingsOf(state) >= READINGS ? false : READ_EVERY_MS,
  });
  const askAgain = () => void client.resetQueries({ queryKey: keys.activation });
  const readings = client.getQueryState(keys.activation);
  return { ...query, hasGivenUp: readings !== undefined && readingsOf(readings) >= READINGS, askAgain };
}

/** Neither what runs nor what owes is changed by waiting. */
function isSettled(state: SubscriptionState | undefined): boolean {
  if (state === undefined) return false;
  return state.hasActiveSubscription || needsPayment(readSubscription(state.subscription));
}

/** As the core reckons with it: instants instead of texts. */
export function readSubscription(sent: SentSubscription | null): Subscription | null {
  if (sent === null) return null;
  const { renews, currentPeriodEnd, canceledAt, trialEnd, ...rest } = sent;
  return {
    ...rest,
    // Without the field, what is not canceled renews.
    renews: renews ?? (canceledAt === null && rest.status !== 'canceled'),
    currentPeriodEnd: Date.parse(currentPeriodEnd),
    canceledAt: canceledAt === null ? null : Date.parse(canceledAt),
    trialEnd: trialEnd === null ? null : Date.parse(trialEnd),
  };
}

function readingsOf(state: { dataUpdateCount: number; errorUpdateCount: number }): number {
  return state.dataUpdateCount + state.errorUpdateCount;
}
