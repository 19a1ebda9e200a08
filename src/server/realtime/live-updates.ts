import * as z from 'zod/mini';
import { liveEvent } from '#contract/live-updates.ts';
import { seconds } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/open-database.ts';
import { findLiveSessions } from '../db/users/sessions.ts';
import type { Log } from '../observability/log.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import type { UserSignals } from '../user-signals.ts';
import { Streams } from './streams.ts';

/** Channel and payload are defined in db/migrations/0001-live-updates.ts. */
const CHANNEL = 'smartpause_live';
const notification = z.extend(liveEvent, { userId: z.nullable(z.string()) });
const HEARTBEAT_MS = seconds(20);

export interface LiveUpdates {
  streams: Streams;
  close(): Promise<void>;
}

/** Forwards database changes of all processes to the event streams of this process. */
export async function startLiveUpdates(deps: {
  db: Db;
  database: Pick<Database, 'listen'>;
  clock: Clock;
  log: Log;
  signals: Pick<UserSignals, 'send' | 'sendAll'>;
  /** Called when the platform status may have changed. */
  onStatus: () => void;
}): Promise<LiveUpdates> {
  const { db, database, clock, log, signals, onStatus } = deps;
  const streams = new Streams();
  const run = async (): Promise<void> => {
    streams.sendHeartbeat();
    const sessionIds = streams.sessionIds();
    if (sessionIds.length === 0) return;
    streams.keepOnly(await findLiveSessions(db, sessionIds, clock.now()), sessionIds);
  };
  const upkeep = startScheduledTask({ name: 'event stream upkeep', everyMs: HEARTBEAT_MS, clock, log, run });
  const onMessage = (payload: string): void => {
    try {
      const { topic, userId } = notification.parse(JSON.parse(payload));
      streams.send(topic, userId);
      if (userId !== null) signals.send(userId);
      if (topic === 'status') onStatus();
      if (topic === 'sessions' && userId !== null && streams.has(userId)) upkeep.wake();
    } catch (error) {
      log.warn({ err: error }, 'live update ignored');
    }
  };
  // After a gap, clients reconnect and read everything again.
  const onGap = (): void => {
    streams.endAll();
    signals.sendAll();
    onStatus();
  };
  const listening = await database.listen({ channel: CHANNEL, onMessage, onGap });
  return {
    streams,
    async close() {
      streams.close();
      await Promise.all([upkeep.close(), listening.close()]);
    },
  };
}
