import { queryOptions } from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import { minutes } from '#core/time.ts';
import { CallError, call } from '../../lib/api-client.ts';
import { keys } from '../../lib/queries.ts';

/** Without this call the user is logged out. One without a response is first retried for a minute. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }) => (await call(userApi.me, { signal })).user,
  // Meta's permission may expire while the page is open.
  refetchInterval: minutes(10),
  retry: (failures, error) =>
    error instanceof CallError ? failures < 2 && error.status >= 500 : failures < 6,
});
