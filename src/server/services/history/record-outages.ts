import { reasonFor, reasonForAll } from '#core/outages/why-not-paused.ts';
import type { UserFacts } from '#core/outages/why-not-paused.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { findProtected } from '../../db/billing/subscriptions.ts';
import type { Db } from '../../db/database.ts';
import type { OutageRecord, PendingOutage } from '../../db/status/outage-users.ts';
import {
  findNotHeld,
  findPendingOutages,
  findUsersToRecord,
  isPauseBeingSent,
  markRecorded,
  saveOutageRecords,
} from '../../db/status/outage-users.ts';
import { findTokens } from '../../db/users/tokens.ts';
import type { User } from '../../db/users/users.ts';
import { findUsers } from '../../db/users/users.ts';
import type { Needs } from '../deps.ts';

/** Few enough that their campaigns fit into memory. */
const USERS = 50;

/** Stores for each user why campaigns were not paused, once an outage has ended. Repeats lose nothing. */
export async function recordOutages({ db, clock }: Needs<'db' | 'clock'>): Promise<void> {
  for (const outage of await findPendingOutages(db)) {
    if (outage.endedAt === null || (await isPauseBeingSent(db, outage.endedAt))) continue;
    for (let after: string | undefined = '0'; after !== undefined;) {
      const thresholds = await findUsersToRecord(db, outage, { after, limit: USERS });
      after = [...thresholds.keys()].at(-1);
      const users = [...(await findUsers(db, [...thresholds.keys()])).values()];
      await saveOutageRecords(db, await recordsFor(db, users, { outage, thresholds, now: clock.now() }));
    }
    await markRecorded(db, outage.id, clock.now());
  }
}

/** The user's records, as known now, of outages that have no stored one yet. */
export async function findLiveRecords(db: Db, user: User, now: Instant): Promise<OutageRecord[]> {
  const records: OutageRecord[] = [];
  for (const outage of await findPendingOutages(db)) {
    const thresholds = await findUsersToRecord(db, outage, { userId: user.id, limit: 1 });
    if (thresholds.size > 0) records.push(...(await recordsFor(db, [user], { outage, thresholds, now })));
  }
  return records;
}

interface Given {
  outage: PendingOutage;
  /** Of each user's first pause in the outage; null: there was none. */
  thresholds: ReadonlyMap<string, Threshold | null>;
  now: Instant;
}

/** Why campaigns of these users were not paused in the outage, from what is known now. */
async function recordsFor(db: Db, users: readonly User[], given: Given): Promise<OutageRecord[]> {
  const { outage, thresholds, now } = given;
  // A subscription that ended after the outage does not explain it.
  const facts = await factsOf(db, users, Math.min(outage.endedAt ?? now, now));
  const records = facts.map((user) => {
    const forAll = reasonForAll(user, outage.peak);
    const met = thresholds.get(user.id) ?? null;
    // Where something was paused, a later change of the settings is no reason for all.
    const reason = met === null ? forAll : null;
    return { outageId: outage.id, userId: user.id, threshold: met ?? user.threshold, reason, forAll };
  });
  const met = records.flatMap(({ reason, userId }) => (reason === null ? userId : []));
  const campaigns = Map.groupBy(await findNotHeld(db, met, outage), ({ userId }) => userId);
  return records.map(({ forAll, ...record }) => {
    const reasons = (campaigns.get(record.userId) ?? []).flatMap(({ campaignId, ...campaign }) => {
      const reason = reasonFor(campaign, outage, forAll, now);
      return reason === null ? [] : [[campaignId, reason] as const];
    });
    return { ...record, notPaused: Object.fromEntries(reasons) };
  });
}

async function factsOf(db: Db, users: readonly User[], at: Instant): Promise<(UserFacts & { id: string })[]> {
  const ids = users.map(({ id }) => id);
  const covered = await findProtected(db, ids, at);
  const tokens = await findTokens(db, ids);
  return users.map(({ id, initializedAt, threshold }) => {
    const token = tokens.get(id);
    return {
      id,
      isSetUp: initializedAt !== null,
      isSubscribed: covered.has(id),
      tokenUsable: token?.rejectedAt === null && (token.expiresAt === null || token.expiresAt > at),
      threshold,
    };
  });
}
