import { seconds } from '#core/time.ts';
import { KeyedLimit } from '../../keyed-limit.ts';
import type { GraphClient, RawAnswer } from './client.ts';
import { tooMuchUnderWay } from './errors.ts';

/** Concurrency limits of the calls of one part of this process. */
export interface CallLimits {
  inAll: number;
  /** Per token: this many reads and this many writes, so that writes do not wait for reads. As many may wait. */
  perToken: number;
  maxWaitMs?: number;
}

/** The reconciler has a limit of its own. */
export const CALLS_OF_PAGES: CallLimits = { inAll: 128, perToken: 4 };
/** Anyone can start a login, and most calls of a login have no token. */
export const CALLS_OF_LOGINS: CallLimits = { inAll: 64, perToken: 64 };

/** With it the calls of one click still end within the lease of its ad account. */
const MAX_WAIT_MS = seconds(5);

/** The same client, which does not send what exceeds these limits. */
export function limitCalls(
  graph: GraphClient,
  { inAll, perToken, maxWaitMs = MAX_WAIT_MS }: CallLimits,
): GraphClient {
  const limit = new KeyedLimit({ concurrency: perToken, maxWaiting: perToken, maxWaitMs });
  const refused = (): RawAnswer => ({ ok: false, failure: tooMuchUnderWay(), headers: {} });
  let underWay = 0;
  return {
    now: () => graph.now(),
    aheadMs: () => graph.aheadMs(),
    async call(call) {
      const send = async (): Promise<RawAnswer> => {
        if (underWay >= inAll) return refused();
        underWay += 1;
        return graph.call(call).finally(() => (underWay -= 1));
      };
      return limit.run(`${call.method === 'GET' ? 'read' : 'write'} ${call.token ?? ''}`, send, refused);
    },
  };
}
