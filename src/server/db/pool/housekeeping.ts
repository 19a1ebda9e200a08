import type { PglitePool } from './pglite-pool.ts';
import type { DatabaseLog } from './pool.ts';

export interface Housekeeping {
  stop(): Promise<void>;
}

/** PGlite has no autovacuum and no timed checkpoint: without this its WAL and tables grow without end. */
export function startHousekeeping(
  pool: PglitePool,
  options: { everyMs: number; log: DatabaseLog },
): Housekeeping {
  let position = '';
  let running: Promise<void> = Promise.resolve();

  async function tidy(): Promise<void> {
    await pool.withoutTimeout(async (client) => {
      const readPosition = async (): Promise<string> => {
        const { rows } = await client.query<{ lsn: string }>(
          'select pg_current_wal_insert_lsn()::text as lsn',
        );
        return rows[0]?.lsn ?? '';
      };
      if ((await readPosition()) === position) return;
      await client.query('CHECKPOINT');
      await client.query('VACUUM (ANALYZE)');
      position = await readPosition();
    });
  }

  let busy = false;
  const timer = setInterval(() => {
    if (busy || pool.closing) return;
    busy = true;
    running = tidy()
      .catch((error: unknown) => options.log.warn({ err: error }, 'The housekeeping of the database failed.'))
      .finally(() => (busy = false));
  }, options.everyMs);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
