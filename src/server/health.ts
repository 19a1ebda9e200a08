import { seconds } from '#core/time.ts';
import type { Clock } from './clock.ts';

/** State of the database. `outdated`: its tables are of another version, as after a restore. */
export type DatabaseState = 'fine' | 'outdated' | 'slow' | 'gone';

const SLOW_MS = seconds(2);

/**
 * Asks the database, with a short time limit. Nothing else makes a process unready: other processes share a stale
 * status or a late work queue, and users would lose the pages that report it.
 */
export function createHealth(clock: Clock, isMigrated: () => Promise<boolean>): () => Promise<DatabaseState> {
  return () => {
    const asked = isMigrated().then(
      (isCurrent) => (isCurrent ? 'fine' : 'outdated'),
      () => 'gone' as const,
    );
    const late = Promise.withResolvers<'slow'>();
    const cancel = clock.after(SLOW_MS, () => late.resolve('slow'));
    return Promise.race([asked, late.promise]).finally(cancel);
  };
}
