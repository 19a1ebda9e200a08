import { inChunks } from '../../db/chunks.ts';
import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/database.ts';
import type { OwnSession } from '../../db/users/sessions.ts';
import { findPeopleOfSessions } from '../../db/users/sessions.ts';
import type { StatusRow } from '../../db/status/status.ts';
import { readStatus } from '../../db/status/status.ts';
import type { TokenFacts } from '../../db/users/tokens.ts';
import { findFactsOfTokens } from '../../db/users/tokens.ts';

/** What nearly every call of a page asks for first. */
export interface SharedReads {
  /** Whose session it is; null: nobody's. */
  session: (token: string) => Promise<OwnSession | null>;
  status: () => Promise<StatusRow>;
  /** Of the person's token; null: there is none. */
  tokenFacts: (personId: string) => Promise<TokenFacts | null>;
}

/** One is answered at once; while two are under way the next wait for each other. */
const SHARED = { max: 50, waitMs: { least: 0, most: 0 }, atOnce: 2, maxWaiting: 1000 };

/**
 * Calls that come together are answered by one statement, which begins after all of them have come: what they are told is as
 * new as if each had asked for itself, and nothing is kept.
 */
export function shareReads(db: Db, clock: Clock): SharedReads {
  const status = inChunks(async (askers: null[]) => {
    const row = await readStatus(db);
    return askers.map(() => row);
  }, SHARED);
  return {
    session: inChunks((tokens: string[]) => findPeopleOfSessions(db, tokens, clock.now()), SHARED),
    status: () => status(null),
    tokenFacts: inChunks((personIds: string[]) => findFactsOfTokens(db, personIds), SHARED),
  };
}
