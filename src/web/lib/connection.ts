import { useQuery } from '@tanstack/react-query';
import { seconds } from '#core/time.ts';

const RETRY_MS = seconds(5);
const TIMEOUT_MS = seconds(10);

/** Asks every 5 s until the server answers; undefined before the first result. */
export function useIsReachable(): boolean | undefined {
  return useQuery({
    queryKey: ['is-reachable'],
    queryFn: isReachable,
    refetchInterval: ({ state }) => (state.data === true ? false : RETRY_MS),
    gcTime: 0,
    meta: { isPublic: true },
  }).data;
}

async function isReachable(): Promise<boolean> {
  return fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    // Any response of the server counts, also a 404; 5xx may come from a gateway whose server is down.
    ({ status }) => status < 500,
    () => false,
  );
}
