import { SPEND_MS } from '#core/periods.ts';
import type { ComparedDelivery } from '#core/spend/evidence.ts';
import { compareDelivery, hoursToCompare } from '#core/spend/evidence.ts';
import type { Instant } from '#core/time.ts';
import { sumSpend } from '../../db/campaign-spend.ts';
import type { Db } from '../../db/database.ts';
import { findOutagesBetween } from '../../db/status/outages.ts';

/**
 * What campaigns delivered in the hours of an outage, and in the same ones of the weeks before, by campaign.
 * @param campaigns of ad accounts whose time zone is not known are left out
 */
export async function compareInOutage(
  db: Db,
  outage: { id: string; startedAt: Instant; until: Instant },
  campaigns: readonly { campaignId: string; timeZone: string | null }[],
): Promise<Map<string, ComparedDelivery>> {
  const { id, startedAt: from, until } = outage;
  const others = (await findOutagesBetween(db, from - SPEND_MS, from))
    .filter((one) => one.id !== id)
    .map((one) => ({ from: one.startedAt, until: one.endedAt ?? until }));
  const compared = new Map<string, ComparedDelivery>();
  for (const [timeZone, some] of Map.groupBy(campaigns, (one) => one.timeZone)) {
    if (timeZone === null) continue;
    const wanted = hoursToCompare(timeZone, { from, until }, others);
    const ids = some.map(({ campaignId }) => campaignId);
    const read = await sumSpend(db, ids, wanted);
    for (const one of ids) compared.set(one, compareDelivery(wanted, read.get(one) ?? []));
  }
  return compared;
}
