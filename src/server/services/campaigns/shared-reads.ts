import { Batcher } from '../../db/batcher.ts';
import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/database.ts';
import type { OwnSession } from '../../db/users/sessions.ts';
import { findUsersOfSessions } from '../../db/users/sessions.ts';
import type { StatusRow } from '../../db/status/status.ts';
import { readStatus } from '../../db/status/status.ts';
import type { TokenFacts } from '../../db/users/tokens.ts';
import { findFactsOfTokens } from '../../db/users/tokens.ts';

/** Reads that nearly every page request needs. */
export interface SharedReads {
  /** Null: no valid session. */
  session: (token: string) => Promise<OwnSession | null>;
  status: () => Promise<StatusRow>;
  /** Null: no token. */
  tokenFacts: (userId: string) => Promise<TokenFacts | null>;
}

/** A single read runs at once; while two run, later ones are batched. */
const SHARED = { maxSize: 50, waitMs: 0, concurrency: 2, maxWaiting: 1000 };

/**
 * Batches parallel reads into one statement that starts after all of them arrived.
 * The results are as fresh as separate reads, without a cache.
 */
export function shareReads(db: Db, clock: Clock): SharedReads {
  const status = new Batcher(async (requests: null[]) => {
    const row = await readStatus(db);
    return requests.map(() => row);
  }, SHARED);
  const sessions = new Batcher((tokens: string[]) => findUsersOfSessions(db, tokens, clock.now()), SHARED);
  const facts = new Batcher((userIds: string[]) => findFactsOfTokens(db, userIds), SHARED);
  return {
    session: (token) => sessions.add(token),
    status: () => status.add(null),
    tokenFacts: (userId) => facts.add(userId),
  };
}
