import * as z from 'zod/mini';
import { liveEvent } from '#contract/live-updates.ts';
import { seconds } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/pool/open.ts';
import { findLiveSessions } from '../db/users/sessions.ts';
import type { Log } from '../observability/log.ts';
import { startRounds } from '../rounds.ts';
import { Streams } from './streams.ts';

/** The channel and the payload are those of migration 0016. */
const CHANNEL = 'smartpause_live';
const notification = z.extend(liveEvent, { userId: z.nullable(z.string()) });
const HEARTBEAT_MS = seconds(20);

export interface LiveUpdates {
  streams: Streams;
  close(): Promise<void>;
}

/** Passes each change in the database, by whichever process, to the event streams of this process. */
export async function startLiveUpdates(deps: {
  db: Db;
  database: Pick<Database, 'listen'>;
  clock: Clock;
  log: Log;
}): Promise<LiveUpdates> {
  const { db, database, clock, log } = deps;
  const streams = new Streams();
  const run = async (): Promise<void> => {
    streams.sendHeartbeat();
    const sessionIds = streams.sessionIds();
    if (sessionIds.length === 0) return;
    streams.keepOnly(await findLiveSessions(db, sessionIds, clock.now()), sessionIds);
  };
  const upkeep = startRounds({ name: 'event stream upkeep', everyMs: HEARTBEAT_MS, clock, log, run });
  const onMessage = (payload: string): void => {
    try {
      const { topic, userId } = notification.parse(JSON.parse(payload));
      streams.send(topic, userId);
      if (topic === 'sessions' && userId !== null && streams.has(userId)) upkeep.wake();
    } catch (error) {
      log.warn({ err: error }, 'live update ignored');
    }
  };
  // After a gap the clients connect again and read everything.
  const listening = await database.listen({ channel: CHANNEL, onMessage, onGap: () => streams.endAll() });
  return {
    streams,
    async close() {
      streams.close();
      await Promise.all([upkeep.close(), listening.close()]);
    },
  };
}
