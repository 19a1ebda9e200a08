import type { StatusChange } from '../../src/core/smartpause/activity-log.ts';
import type { Instant } from '../../src/core/time.ts';
import { minutes } from '../../src/core/time.ts';
import type { AdPlatform } from '../../src/server/platforms/meta/ads.ts';
import type { Clock } from '../../src/server/clock.ts';
import type { Db } from '../../src/server/db/database.ts';
import { inTransaction } from '../../src/server/db/database.ts';
import { tokenContext } from '../../src/server/db/users/tokens.ts';
import type { TokenCipher } from '../../src/server/secrets.ts';
import type { KnownAccount, OwnChange } from './records.ts';
import { findAccounts, knownOf, writeLostPause, writeLostResume } from './records.ts';

export interface LostActivitiesDeps {
  db: Db;
  cipher: TokenCipher;
  platform: Pick<AdPlatform, 'readStatusChanges' | 'readStatuses'>;
  clock: Clock;
}

/** A pause or resume of ours that is missing from the restored database. */
export interface LostActivity extends OwnChange {
  name: string;
  /** The resumed hold; null: a pause, which has no hold. */
  holdId: string | null;
  /** A user with SmartPause on; null: none, so SmartPause must not resume it. */
  wantedBy: string | null;
}

export interface LostActivities {
  activities: LostActivity[];
  /** Ad accounts that could not be read, with the reason. */
  unread: { accountId: string; why: string }[];
}

/** High concurrency, since the restore waits for all ad accounts. */
const AT_A_TIME = 50;
/** Maximum lead of our clock over Meta's. */
const MARGIN_MS = minutes(1);

/**
 * After a restore: finds our own changes since then in Meta's log.
 * Skips campaigns whose last change is external.
 */
export async function findLostActivities(deps: LostActivitiesDeps, since: Instant): Promise<LostActivities> {
  const found: LostActivities = { activities: [], unread: [] };
  const left = (await findAccounts(deps.db)).entries();
  const work = async (): Promise<void> => {
    for (const [accountId, account] of left) {
      const changes = await readOwnChanges(deps, account, { accountId, since: since - MARGIN_MS });
      if (!changes.ok) found.unread.push({ accountId, why: changes.why });
      else for (const change of changes.own) found.activities.push(...(await missing(deps, change)));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  // In the order of the changes, independent of the order of the reads.
  found.activities.sort((a, b) => a.at - b.at || (a.campaignId < b.campaignId ? -1 : 1));
  found.unread.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  return found;
}

type OwnChanges = { ok: true; own: OwnChange[] } | { ok: false; why: string };

/** Tries the users of the account until Meta answers. */
async function readOwnChanges(
  { cipher, platform }: LostActivitiesDeps,
  { readers, isLost }: KnownAccount,
  { accountId, since }: { accountId: string; since: Instant },
): Promise<OwnChanges> {
  let why = isLost ? 'Meta refuses access to every user of SmartPause' : 'no user has a usable permission';
  for (const { userId, token: encrypted } of readers) {
    const token = cipher.decrypt(encrypted, tokenContext(userId));
    if (token === null) {
      why = 'the key of its access token is missing';
      continue;
    }
    const log = await platform.readStatusChanges(token, accountId, since);
    if (!log.ok) {
      why = log.failure.message;
      continue;
    }
    const last = lastOurs(log.value, accountId, since);
    const statuses = await platform.readStatuses(
      token,
      accountId,
      last.map(({ campaignId }) => campaignId),
    );
    if (!statuses.ok) {
      why = statuses.failure.message;
      continue;
    }
    // A status that differs shows a later change that the log does not contain yet.
    return { ok: true, own: last.filter(({ campaignId, to }) => statuses.value.get(campaignId) === to) };
  }
  return { ok: false, why };
}

/** @param changes newest first */
function lastOurs(changes: readonly StatusChange[], accountId: string, since: Instant): OwnChange[] {
  const last = new Map<string, StatusChange>();
  for (const change of changes) if (!last.has(change.campaignId)) last.set(change.campaignId, change);
  return [...last.values()].flatMap(({ campaignId, isOurs, to, at }) =>
    isOurs && to !== null && at >= since ? [{ accountId, campaignId, to, at }] : [],
  );
}

async function missing({ db }: LostActivitiesDeps, change: OwnChange): Promise<LostActivity[]> {
  const { name, hold, isPauseKnown, wantedBy } = await knownOf(db, change);
  if (change.to === 'PAUSED') {
    return hold !== null || isPauseKnown ? [] : [{ ...change, name, holdId: null, wantedBy }];
  }
  return hold === null || hold.isResuming ? [] : [{ ...change, name, holdId: hold.id, wantedBy }];
}

/**
 * Restores lost intents as unconfirmed writes; the reconciler verifies, records and resumes. Skips a pause
 * without a user who wants SmartPause, or beside a live hold.
 * @returns the restored ones
 */
export async function writeLostActivities(
  deps: LostActivitiesDeps,
  activities: readonly LostActivity[],
): Promise<LostActivity[]> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (tx) => {
    const written: LostActivity[] = [];
    for (const activity of activities) if (await writeLostActivity(tx, activity, now)) written.push(activity);
    return written;
  });
}

async function writeLostActivity(tx: Db, activity: LostActivity, now: Instant): Promise<boolean> {
  if (activity.holdId !== null) return writeLostResume(tx, activity, activity.holdId, now);
  return activity.wantedBy !== null && (await writeLostPause(tx, activity, activity.wantedBy, now));
}
