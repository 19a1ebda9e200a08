import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Destination } from '#contract/destination-api.ts';
import { destinationApi } from '#contract/destination-api.ts';
import type { BodySentTo } from '#contract/endpoint.ts';
import { LINK_VALID_DAYS } from '#core/confirmation.ts';
import { seconds } from '#core/time.ts';
import { call } from '../../lib/api-client.ts';
import { destinationsQuery } from '../../lib/destinations.ts';
import { notifyDone, notifyFailure } from '../../lib/notify.tsx';

const { queryKey } = destinationsQuery;
const POLL_MS = seconds(10);

export function useDestinations() {
  return useQuery({ ...destinationsQuery, refetchInterval: POLL_MS });
}

/** An act on destinations, after which they are read again. @param failed null: its place says why */
export function useAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  failed: string | null,
  onDone?: (result: Result) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (result) => onDone?.(result),
    onError: (error) => failed !== null && notifyFailure(failed, error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

type Change = BodySentTo<typeof destinationApi.changeDestination>;

export function useChange({ id }: Destination, failed: string | null, onDone?: () => void) {
  return useAct(
    (body: Change) => call(destinationApi.changeDestination, { params: { id }, body }),
    failed,
    onDone,
  );
}

/** A further link that confirms its email address. */
export function useSendLink({ id }: Destination) {
  return useAct(
    () => call(destinationApi.sendDestinationLink, { params: { id } }),
    'The email wasn’t sent',
    () => notifyDone('Email sent', `The link in it is valid for ${LINK_VALID_DAYS} days.`),
  );
}

/** What the receiver answers is data; null: it accepted the message. */
export function useTest(id: string) {
  return useAct(() => call(destinationApi.testDestination, { params: { id } }), null);
}

export function useDeliveries(id: string) {
  const params = { id };
  return useQuery({
    queryKey: [...queryKey, id],
    queryFn: async ({ signal }) => (await call(destinationApi.deliveries, { params, signal })).deliveries,
    refetchInterval: POLL_MS,
  });
}
