import { ApiError } from '#contract/errors.ts';
import { HISTORY_DAYS } from '#core/periods.ts';
import { chartWindow, datesIn, spendByHour } from '#core/spend/by-hour.ts';
import { knownSpend } from '#core/spend/known.ts';
import { spendByMonth } from '#core/spend/months.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Db } from '../../db/database.ts';
import {
  findEstimatesSince,
  findPausesInOutage,
  readEstimates,
  readHoursOfOutage,
} from '../../db/outage-estimates.ts';
import { findOutagesBetween } from '../../db/status/outages.ts';
import type { User } from '../../db/users/users.ts';
import type { Needs } from '../deps.ts';

type Deps = Needs<'db' | 'clock'>;

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

/** What the campaigns that an outage paused spent by hour, before, in and after it. */
export async function getHourlySpend({ db, clock }: Deps, user: User, id: string) {
  const now = clock.now();
  const since = now - days(HISTORY_DAYS);
  const [outage] = (await findOutagesBetween(db, since, now)).filter((one) => one.id === id);
  if (outage === undefined) throw new ApiError('NOT_FOUND');
  const time = chartWindow({ from: outage.startedAt, until: outage.endedAt ?? now });
  const read = await readHoursOfOutage(db, { userId: user.id, outageId: id }, datesIn(time));
  return {
    currencies: [...spendByHour(read, time)].map(([currency, hourly]) => ({ currency, hours: hourly })),
  };
}

/** What the outages of each month kept. */
export async function getSpendMonths({ db, clock }: Deps, user: User) {
  const estimates = await findEstimatesSince(db, user.id, clock.now() - days(HISTORY_DAYS));
  return { months: spendByMonth(estimates) };
}
