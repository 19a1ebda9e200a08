import type { NotPausedReason, UserFacts } from '#core/smartpause/not-paused.ts';
import { reasonFor, reasonForAll } from '#core/smartpause/not-paused.ts';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import { findProtected } from '../../db/billing/subscriptions.ts';
import type { Db } from '../../db/database.ts';
import type { OutageRecord } from '../../db/status/outage-users.ts';
import {
  findNotHeld,
  findThresholdsOfPauses,
  findUnrecordedOutages,
  findUsersToRecord,
  markRecorded,
  saveOutageRecords,
} from '../../db/status/outage-users.ts';
import { findTokenFacts } from '../../db/users/tokens.ts';
import type { User } from '../../db/users/users.ts';
import { findUsers } from '../../db/users/users.ts';
import type { Needs } from '../deps.ts';

/** Few enough that their campaigns fit into memory. */
const USERS = 50;

/** Stores for each user why campaigns were not paused, once an outage has ended. Repeats lose nothing. */
export async function recordOutages({ db, clock }: Needs<'db' | 'clock'>): Promise<void> {
  for (const outage of await findUnrecordedOutages(db)) {
    for (;;) {
      const userIds = await findUsersToRecord(db, outage, USERS);
      if (userIds.length === 0) break;
      const users = [...(await findUsers(db, userIds)).values()];
      if (users.length === 0) break;
      await saveOutageRecords(db, outage.id, await findNotPaused(db, users, outage, { now: clock.now() }));
    }
    await markRecorded(db, outage.id, clock.now());
  }
}

/** Why campaigns of these users were not paused in the outage, from what is known now. */
export async function findNotPaused(
  db: Db,
  users: readonly User[],
  outage: { startedAt: Instant; endedAt: Instant | null; peak: KnownLevel },
  { now, campaignId }: { now: Instant; campaignId?: string },
): Promise<OutageRecord[]> {
  const ids = users.map(({ id }) => id);
  // A subscription that ended after the outage does not explain it.
  const facts = await factsOf(db, users, Math.min(outage.endedAt ?? now, now));
  const thresholds = await findThresholdsOfPauses(db, ids, outage);
  const records = users.map((user, index): OutageRecord & { forAll: NotPausedReason | null } => {
    const own = facts[index];
    const forAll = own === undefined ? 'not_recorded' : reasonForAll(own, outage.peak);
    const met = thresholds.get(user.id);
    // Where something was paused, a later change of the settings is no reason for all.
    const reason = met === undefined ? forAll : null;
    return { userId: user.id, threshold: met ?? user.threshold, reason, forAll, notPaused: {} };
  });
  const met = new Map(records.filter(({ reason }) => reason === null).map((one) => [one.userId, one]));
  const campaigns = met.size === 0 ? [] : await findNotHeld(db, [...met.keys()], outage, campaignId);
  for (const { userId, campaignId: id, ...campaign } of campaigns) {
    const record = met.get(userId);
    if (record === undefined) continue;
    const reason = reasonFor(campaign, outage, record.forAll, now);
    if (reason !== null) record.notPaused[id] = reason;
  }
  return records;
}

async function factsOf(db: Db, users: readonly User[], at: Instant): Promise<UserFacts[]> {
  const ids = users.map(({ id }) => id);
  const covered = await findProtected(db, ids, at);
  const tokens = await findTokenFacts(db, ids);
  return users.map(({ id, isInitialized, threshold }) => {
    const token = tokens.get(id);
    return {
      isSetUp: isInitialized,
      isSubscribed: covered.has(id),
      tokenUsable:
        token !== undefined && !token.isRefused && (token.expiresAt === null || token.expiresAt > at),
      threshold,
    };
  });
}
