import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import { DELETION_PHRASE } from '#contract/shapes.ts';
import { seconds } from '#core/time.ts';
import { call, hasCode, ifSupported } from '../../lib/api-client.ts';
import { keys } from '../../lib/queries.ts';
import { endSession, leaveSession } from '../../lib/session.ts';
import { useUser } from '../auth/auth-provider.tsx';

const DELETION_MS = seconds(5);

/** The user reads the last message for this long. */
const FAREWELL_MS = seconds(2);

/** `isUnderWay`: it was asked for, also on another page, and is not done yet. */
export function useDeauthorize() {
  const { leaving } = useUser();
  const leave = useLeave(() => call(userApi.deauthorize), '/?error=DEAUTH_SUCCESS');
  // A deletion revokes, too.
  return { ...leave, isUnderWay: leaving !== null };
}

export function useDeleteAccount() {
  const body = { confirmation: DELETION_PHRASE } as const;
  const { leaving } = useUser();
  const leave = useLeave(() => call(userApi.deleteAccount, { body }), '/?error=ACCOUNT_DELETED');
  return { ...leave, isUnderWay: leaving === 'delete' };
}

/** @param next where the user is sent afterwards, also when the page that asked is left in the meantime */
function useLeave(leave: () => Promise<unknown>, next: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => endSession(leave()),
    onSuccess: () => void setTimeout(() => leaveSession(next), FAREWELL_MS),
    // A call that failed may still have started it.
    onError: () => void client.invalidateQueries({ queryKey: keys.me }),
  });
}

/** The progress of the deletion with this code. Null: no such deletion. */
export function useDeletion(code: string) {
  return useQuery({
    queryKey: keys.deletion(code),
    meta: { isPublic: true },
    queryFn: ({ signal }) =>
      ifSupported(call(userApi.deletionStatus, { params: { code }, signal })).catch((error: unknown) => {
        if (hasCode(error, 'INVALID_REQUEST')) return null;
        throw error;
      }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || (data?.finishedAt === null && !data.isSuperseded) ? DELETION_MS : false,
  });
}
