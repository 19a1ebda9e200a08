import { knownSpend } from '#core/spend/known.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import { findPausesInOutage, readEstimates } from '../../db/outage-estimates.ts';
import type { User } from '../../db/users/users.ts';

/** What the user's pauses in an outage kept from being spent, by currency; empty: there were none. */
export async function getSpend(
  db: Db,
  user: User,
  { id, endedAt }: { id: string; endedAt: Instant | null },
  now: Instant,
) {
  const zones = Map.groupBy(await findPausesInOutage(db, user.id, id), ({ currency }) => currency);
  const estimates = await readEstimates(db, [id], user.id);
  return [...zones].map(([currency, pauses]) => {
    const estimate = estimates.find((one) => one.currency === currency)?.estimate ?? null;
    return { currency, ...knownSpend({ endedAt, pauses }, estimate, now) };
  });
}

/** What is known of what was kept in each of these outages. */
export async function getKept(db: Db, user: User, outageIds: readonly string[]) {
  const estimates = await readEstimates(db, outageIds, user.id);
  const known = estimates.flatMap(({ outageId, currency, estimate: { kept } }) =>
    kept === null ? [] : { outageId, currency, ...kept },
  );
  return Map.groupBy(known, ({ outageId }) => outageId);
}
