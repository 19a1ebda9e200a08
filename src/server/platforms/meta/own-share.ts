import { seconds } from '#core/time.ts';
import { Slots } from '../../slots.ts';
import type { GraphClient } from './client.ts';
import { tooMuchUnderWay } from './errors.ts';

/** How much of what may be under way at the platform is for one part of this process. */
export interface Share {
  inAll: number;
  /** With one token: so many readings, and so many acts, since acting must not wait for what is being looked at. */
  forOne: number;
  /** How long the next ones of the same token wait for their turn; as many as may be under way. */
  patienceMs?: number;
}

/** Whatever hangs, and for whomever, the rest stays for the engine, whose concurrency has a limit of its own. */
export const SHARE_OF_PAGES: Share = { inAll: 128, forOne: 4 };
/** Strangers can begin these, and most of them come without a token. */
export const SHARE_OF_LOGINS: Share = { inAll: 64, forOne: 64 };

/** With it the calls of one act still end within the lease of its ad account. */
const PATIENCE_MS = seconds(5);

/** The same client for one part of the process, which never has more under way than its share. */
export function withinShare(
  graph: GraphClient,
  { inAll, forOne, patienceMs = PATIENCE_MS }: Share,
): GraphClient {
  const turnsOf = new Map<string, Slots>();
  let underWay = 0;
  return {
    now: () => graph.now(),
    aheadMs: () => graph.aheadMs(),
    async call(call) {
      const whose = `${call.method === 'GET' ? 'reading' : 'act'} ${call.token ?? ''}`;
      const turns = turnsOf.get(whose) ?? new Slots(forOne, forOne);
      turnsOf.set(whose, turns);
      if (!(await turns.take(patienceMs))) return { ok: false, failure: tooMuchUnderWay(), headers: {} };
      try {
        if (underWay >= inAll) return { ok: false, failure: tooMuchUnderWay(), headers: {} };
        underWay += 1;
        return await graph.call(call).finally(() => (underWay -= 1));
      } finally {
        turns.pass();
        if (turns.isIdle) turnsOf.delete(whose);
      }
    },
  };
}
