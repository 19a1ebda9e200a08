import type { Instant } from '../../src/core/time.ts';
import { minutes } from '../../src/core/time.ts';
import type { Db } from '../../src/server/db/database.ts';
import { tokenContext } from '../../src/server/db/users/tokens.ts';
import type { AdPlatform, LoggedChange } from '../../src/server/platforms/platform.ts';
import type { TokenCipher } from '../../src/server/secrets.ts';
import type { AccountRow, LostChange, OwnChange } from './records.ts';
import { accountRows, findLost } from './records.ts';

interface Deps {
  db: Db;
  cipher: TokenCipher;
  platform: Pick<AdPlatform, 'readStatusChanges' | 'readCampaigns'>;
}

interface LostChanges {
  changes: LostChange[];
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
export async function findLostChanges(deps: Deps, since: Instant): Promise<LostChanges> {
  const found: LostChanges = { changes: [], unread: [] };
  const left = Map.groupBy(await accountRows(deps.db), ({ id }) => id).entries();
  const work = async (): Promise<void> => {
    for (const [accountId, rows] of left) {
      const read = await readOwnChanges(deps, rows, { accountId, since: since - MARGIN_MS });
      if (!read.ok) found.unread.push({ accountId, why: read.why });
      for (const change of read.ok ? read.own : []) {
        const lost = await findLost(deps.db, change);
        if (lost !== null) found.changes.push(lost);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  // In the order of the changes, independent of the order of the reads.
  found.changes.sort((a, b) => a.at - b.at || (a.campaignId < b.campaignId ? -1 : 1));
  found.unread.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  return found;
}

/** Tries the users of the account until Meta answers. */
async function readOwnChanges(
  { cipher, platform }: Deps,
  rows: readonly AccountRow[],
  { accountId, since }: { accountId: string; since: Instant },
): Promise<{ ok: true; own: OwnChange[] } | { ok: false; why: string }> {
  const readers = rows.filter(({ isLost }) => !isLost);
  let why =
    readers.length === 0
      ? 'Meta refuses access to every user of SmartPause'
      : 'no user has a usable permission';
  for (const { userId, token: encrypted } of readers) {
    if (encrypted === null) continue;
    const token = cipher.decrypt(encrypted, tokenContext(userId));
    if (token === null) {
      why = 'the key of its access token is missing';
      continue;
    }
    const log = await platform.readStatusChanges(token, accountId, since);
    const last = log.ok ? lastOurs(log.value, accountId, since) : [];
    const ids = last.map(({ campaignId }) => campaignId);
    const read = log.ok ? await platform.readCampaigns(token, accountId, ids) : log;
    if (!read.ok) {
      why = read.failure.message;
      continue;
    }
    // A status that differs shows a later change that the log does not contain yet.
    const isLast = ({ campaignId, to }: OwnChange): boolean => {
      const found = read.value.get(campaignId);
      return typeof found === 'object' && found.status === to;
    };
    return { ok: true, own: last.filter(isLast) };
  }
  return { ok: false, why };
}

/** @param changes newest first */
function lastOurs(changes: readonly LoggedChange[], accountId: string, since: Instant): OwnChange[] {
  const last = new Map<string, LoggedChange>();
  for (const change of changes) if (!last.has(change.campaignId)) last.set(change.campaignId, change);
  return [...last.values()].flatMap(({ campaignId, isOurs, to, at }) =>
    isOurs && (to === 'ACTIVE' || to === 'PAUSED') && at >= since ? [{ accountId, campaignId, to, at }] : [],
  );
}
