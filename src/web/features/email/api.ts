import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LINK_VALID_DAYS } from '#core/confirmation.ts';
import { userApi } from '#contract/user-api.ts';
import { call } from '../../lib/api-client.ts';
import { notifyDone, notifyFailure } from '../../lib/notify.tsx';
import { keys } from '../../lib/queries.ts';

/** Sends another link to the address of the settings. */
export function useSendLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(userApi.sendEmailLink),
    onSuccess: () => {
      notifyDone('Email sent', `Open the link in it within ${LINK_VALID_DAYS} days.`);
      void client.invalidateQueries({ queryKey: keys.userStatus });
    },
    onError: (error) => notifyFailure('The email wasn’t sent', error),
  });
}

/** The address of the settings becomes the confirmed one again. */
export function useCancelChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(userApi.cancelEmailChange),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.userStatus }),
    onError: (error) => notifyFailure('The change wasn’t canceled', error),
  });
}

/** What a link can do; opening it changes nothing. */
export function useEmailLink(token: string) {
  const client = useQueryClient();
  const queryKey = keys.emailLink(token);
  const query = useQuery({
    queryKey,
    meta: { isPublic: true },
    queryFn: ({ signal }) => call(userApi.readEmailLink, { body: { token }, signal }),
  });
  const confirming = useMutation({
    mutationFn: () => call(userApi.confirmEmail, { body: { token } }),
    onSuccess: (found) => {
      client.setQueryData(queryKey, found);
      void client.invalidateQueries({ queryKey: keys.userStatus });
    },
  });
  return { query, confirming };
}
