import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { minutes, seconds } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import { CHANGES_CHANNEL } from '../db/changes.ts';
import type { Db } from '../db/database.ts';
import type { Log } from '../log.ts';
import { startRounds } from '../rounds.ts';

const PROVE_EVERY_MS = minutes(1);
const HEAR_WITHIN_MS = seconds(5);
/** One may be lost with a connection that is just being made again. */
const TRIES = 2;

export interface Hearing {
  /** To be given all that is said on the channel. */
  hear: (payload: string) => void;
  /** There was a reason to doubt it, in either direction. */
  proveNow: () => void;
  close: () => Promise<void>;
}

/**
 * Says something to itself now and then. A pooler between us and PostgreSQL takes LISTEN for granted and never delivers:
 * then nothing fails, and nothing is heard.
 */
export function proveHearing(args: {
  db: Db;
  clock: Clock;
  log: Log;
  onVerdict: (isHearing: boolean) => void;
}): Hearing {
  const { db, clock, log, onVerdict } = args;
  let awaited: { nonce: string; settle: (isHeard: boolean) => void } | null = null;
  let wasHearing = true;

  const isHeard = async (): Promise<boolean> => {
    const nonce = `proof ${randomUUID()}`;
    const answer = new Promise<boolean>((settle) => (awaited = { nonce, settle }));
    await sql`select pg_notify(${CHANGES_CHANNEL}, ${nonce})`.execute(db);
    const cancel = clock.after(HEAR_WITHIN_MS, () => awaited?.settle(false));
    return answer.finally(cancel);
  };

  const rounds = startRounds({
    name: 'proving that changes are heard of',
    everyMs: PROVE_EVERY_MS,
    clock,
    log,
    run: async () => {
      let isHearing = false;
      for (let tries = 0; tries < TRIES && !isHearing; tries += 1) isHearing = await isHeard();
      if (isHearing !== wasHearing) {
        if (isHearing) log.info({}, 'Changes in the database are heard of again.');
        else
          log.warn(
            {},
            'Changes in the database are not heard of. Does a pooler in transaction mode carry LISTEN?',
          );
      }
      wasHearing = isHearing;
      onVerdict(isHearing);
    },
  });
  return {
    hear: (payload) => {
      if (payload === awaited?.nonce) awaited.settle(true);
    },
    proveNow: () => rounds.wake(),
    close: () => {
      awaited?.settle(true);
      return rounds.close();
    },
  };
}
