import { seconds } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import { CHANGES_CHANNEL, parseNotice } from '../db/changes.ts';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/pool/open.ts';
import { findLiveSessions } from '../db/sessions.ts';
import type { Log } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { Hearing } from './hearing.ts';
import { proveHearing } from './hearing.ts';
import { Hub } from './hub.ts';

const BEAT_EVERY_MS = seconds(20);
/** An ended session is announced; one that runs out is found by this. */
const CHECK_EVERY_MS = seconds(30);

export interface Live {
  hub: Hub;
  close(): Promise<void>;
}

/** Hears of every change in the database, whichever process made it, and tells the open pages of this one. */
export async function startLive(deps: {
  db: Db;
  database: Pick<Database, 'listen'>;
  clock: Clock;
  log: Log;
}): Promise<Live> {
  const { db, clock, log } = deps;
  const hub = new Hub();
  let hearing: Hearing | null = null;
  const listening = await deps.database.listen({
    channel: CHANGES_CHANNEL,
    onMessage: (payload) => {
      hearing?.hear(payload);
      const notice = parseNotice(payload);
      if (notice !== null) hub.tell(notice);
    },
    onGap: () => {
      hub.tellOfGap();
      hearing?.proveNow();
      checks.wake();
    },
  });
  hearing = proveHearing({ db, clock, log, onVerdict: (isHearing) => (hub.isDeaf = !isHearing) });
  const beats = startRounds({
    name: 'keeping streams open',
    everyMs: BEAT_EVERY_MS,
    clock,
    log,
    run: () => {
      hub.beat();
      return Promise.resolve();
    },
  });
  const checks = startRounds({
    name: 'checking the sessions of streams',
    everyMs: CHECK_EVERY_MS,
    clock,
    log,
    run: async () => {
      const asked = hub.sessions();
      if (asked.length > 0) hub.keepOnly(await findLiveSessions(db, asked, clock.now()), asked);
    },
  });
  return {
    hub,
    async close() {
      hub.close();
      await Promise.all([beats.close(), checks.close(), hearing.close(), listening.close()]);
    },
  };
}
