import { setImmediate } from 'node:timers/promises';
import type { Comparison, Estimate } from '#core/spend/estimate.ts';
import { estimateInSteps } from '#core/spend/estimate.ts';
import type { FromStored } from '#core/spend/from-stored.ts';
import { COMPARED_MS, fromStored } from '#core/spend/from-stored.ts';
import { endOfDate } from '#core/spend/local-hours.ts';
import type { ComparedOthers } from '#core/spend/others.ts';
import { addUpDays, compareOthers, comparisonOf, othersOf } from '#core/spend/others.ts';
import { ESTIMATED_MS, dateOf, datesOf } from '#core/spend/when-estimated.ts';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import { addUpSpend, readSpend } from '../../db/campaign-spend.ts';
import type { Db } from '../../db/database.ts';
import type { EndedOutage, HeldInOutage } from '../../db/outage-estimates.ts';
import {
  findAllHeldInOutage,
  findEndedOutages,
  findHeldInOutage,
  findHeldSince,
  findUsersToEstimate,
  saveEstimates,
} from '../../db/outage-estimates.ts';
import { hadLowDelivery } from '../../db/delivery.ts';
import { findOutagesBetween } from '../../db/status/outages.ts';
import type { Needs } from '../deps.ts';

/** Their stored days take some megabytes. */
const CAMPAIGNS_AT_ONCE = 100;
const SUMMED_AT_ONCE = 500;

type Deps = Needs<'db' | 'clock' | 'log'>;

/** Estimates what ended outages kept from being spent, user by user, again while more is read. Repeats lose nothing. */
export async function estimateOutages(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  for (const outage of await findEndedOutages(db, clock.now() - ESTIMATED_MS)) {
    const dates = datesOf({ from: outage.startedAt, until: outage.endedAt });
    for (const userId of await findUsersToEstimate(db, outage, { dates, now: clock.now() })) {
      await estimateFor(deps, outage, userId).catch((error: unknown) =>
        deps.log.error({ err: error, user: userId, outage: outage.id }, 'an outage could not be estimated'),
      );
    }
  }
}

async function estimateFor(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  outage: EndedOutage,
  userId: string,
): Promise<void> {
  const now = clock.now();
  const held = Map.groupBy(await findHeldInOutage(db, userId, outage, now), ({ currency }) => currency);
  const estimates = new Map<string, Estimate>();
  for (const [currency, campaigns] of held) {
    const found = await readStored(db, campaigns, outage, now);
    const isOver = found.every((one) => one.isOver);
    const comparison = await readComparison(db, campaigns, outage);
    const steps = estimateInSteps(
      found.map(({ campaign }) => campaign),
      comparison,
      isOver,
    );
    let step = steps.next();
    // Thousands of campaigns take seconds.
    for (; step.done !== true; step = steps.next()) await setImmediate();
    estimates.set(currency, step.value);
  }
  await saveEstimates(db, { outageId: outage.id, userId, computedAt: now }, estimates);
}

/** What the other campaigns of their ad accounts did in the outage. Null: that is not known, or too little. */
async function readComparison(
  db: Db,
  held: readonly HeldInOutage[],
  outage: EndedOutage,
): Promise<Comparison | null> {
  const { startedAt: from, endedAt: until } = outage;
  const since = from - COMPARED_MS;
  const unusual = (await findOutagesBetween(db, since, from)).filter(({ id }) => id !== outage.id);
  const periods = unusual.map((one) => ({ from: one.startedAt, until: one.endedAt ?? until }));
  const of = { first: dateOf(since - days(1)), last: dateOf(until + days(2)) };
  const found: ComparedOthers[] = [];
  for (const [accountId, [first]] of Map.groupBy(held, (one) => one.accountId)) {
    const timeZone = first?.timeZone ?? null;
    const read = await readSpend(db, [accountId], of);
    if (timeZone === null || read.length === 0) continue;
    const paused = await addUpAll(db, await findAllHeldInOutage(db, accountId, outage), of);
    const known = read.filter(({ day, readAt }) => readAt >= endOfDate(timeZone, day, from));
    const others = othersOf(known, paused);
    const compared = compareOthers(timeZone, others, { outage: { from, until }, unusual: periods });
    if (compared !== null) found.push(compared);
  }
  const comparison = comparisonOf(found);
  return comparison && { ...comparison, isWide: await hadLowDelivery(db, { from, until }) };
}

/** Thousands of campaigns, some at a time. */
async function addUpAll(db: Db, ids: readonly string[], of: { first: string; last: string }) {
  const parts = [];
  for (let n = 0; n < ids.length; n += SUMMED_AT_ONCE)
    parts.push(await addUpSpend(db, ids.slice(n, n + SUMMED_AT_ONCE), of));
  return addUpDays(parts);
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
