import { sql } from 'kysely';
import { seconds } from '#core/time.ts';
import type { Db } from './db/database.ts';

/** State of the database. */
export type Readiness = 'fine' | 'slow' | 'gone';

const SLOW_MS = seconds(2);

/** Probes the database with a short timeout. Concurrent callers share one probe. */
export function createReadiness(db: Db, slowMs: number = SLOW_MS): () => Promise<Readiness> {
  let asking: Promise<Readiness> | null = null;
  const ask = (): Promise<Readiness> =>
    sql`select 1`
      .execute(db)
      .then(
        (): Readiness => 'fine',
        (): Readiness => 'gone',
      )
      .finally(() => (asking = null));
  return async () => {
    asking ??= ask();
    const late = Promise.withResolvers<Readiness>();
    const timer = setTimeout(() => late.resolve('slow'), slowMs);
    return Promise.race([asking, late.promise]).finally(() => clearTimeout(timer));
  };
}
