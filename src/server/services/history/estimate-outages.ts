import { setImmediate } from 'node:timers/promises';
import type { Estimate } from '#core/spend/estimate.ts';
import { estimateInSteps } from '#core/spend/estimate.ts';
import type { FromStored } from '#core/spend/from-stored.ts';
import { COMPARED_MS, fromStored } from '#core/spend/from-stored.ts';
import { ESTIMATED_MS, dateOf, datesOf } from '#core/spend/when-estimated.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { readSpend } from '../../db/campaign-spend.ts';
import type { Db } from '../../db/database.ts';
import type { EndedOutage, HeldInOutage } from '../../db/outage-estimates.ts';
import {
  findEndedOutages,
  findHeldInOutage,
  findHeldSince,
  findUsersToEstimate,
  saveEstimates,
} from '../../db/outage-estimates.ts';
import { findOutagesBetween } from '../../db/status/outages.ts';
import type { Needs } from '../deps.ts';

/** Their stored days take some megabytes. */
const CAMPAIGNS_AT_ONCE = 100;

/** Estimates what ended outages kept from being spent, user by user, again while more is read. Repeats lose nothing. */
export async function estimateOutages({ db, clock }: Needs<'db' | 'clock'>): Promise<void> {
  for (const outage of await findEndedOutages(db, clock.now() - ESTIMATED_MS)) {
    const dates = datesOf({ from: outage.startedAt, until: outage.endedAt });
    for (const userId of await findUsersToEstimate(db, outage, { dates, now: clock.now() })) {
      const now = clock.now();
      const held = Map.groupBy(await findHeldInOutage(db, userId, outage, now), ({ currency }) => currency);
      const estimates = new Map<string, Estimate>();
      for (const [currency, campaigns] of held) {
        const found = await readStored(db, campaigns, outage, now);
        const isOver = found.every((one) => one.isOver);
        const steps = estimateInSteps(
          found.map(({ campaign }) => campaign),
          null,
          isOver,
        );
        let step = steps.next();
        // Thousands of campaigns take seconds.
        for (; step.done !== true; step = steps.next()) await setImmediate();
        estimates.set(currency, step.value);
      }
      await saveEstimates(db, { outageId: outage.id, userId, computedAt: now }, estimates);
    }
  }
}

async function readStored(
  db: Db,
  held: readonly HeldInOutage[],
  { startedAt }: EndedOutage,
  now: Instant,
): Promise<FromStored[]> {
  const since = startedAt - COMPARED_MS;
  const outages = (await findOutagesBetween(db, since, startedAt)).map((one) => ({
    ...{ from: one.startedAt, until: one.endedAt ?? now },
  }));
  const found: FromStored[] = [];
  for (const [timeZone, campaigns] of Map.groupBy(held, (one) => one.timeZone)) {
    // Without a time zone nothing is read: it is an estimate by budget.
    const convert = fromStored(timeZone ?? 'UTC', startedAt, outages);
    for (let n = 0; n < campaigns.length; n += CAMPAIGNS_AT_ONCE) {
      const some = campaigns.slice(n, n + CAMPAIGNS_AT_ONCE);
      const ids = some.map(({ campaignId }) => campaignId);
      const of = { first: dateOf(since - days(1)), last: dateOf(now + days(1)) };
      const read = Map.groupBy(await readSpend(db, ids, of), ({ campaignId }) => campaignId);
      const paused = Map.groupBy(
        await findHeldSince(db, ids, { since, now }),
        ({ campaignId }) => campaignId,
      );
      for (const one of some) {
        const { campaignId: id } = one;
        found.push(convert({ ...one, held: paused.get(id) ?? [], days: read.get(id) ?? [] }));
        await setImmediate();
      }
    }
  }
  return found;
}
