import type { StatusChange } from '#core/smartpause/hands.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { AdPlatform } from '../../platforms/meta/ads.ts';
import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/database.ts';
import type { KnownAccount, OwnChange } from '../../db/reports/lost-acts.ts';
import { findAccounts, knownOf, writeLostPause, writeLostResume } from '../../db/reports/lost-acts.ts';
import { tokenContext } from '../../db/users/tokens.ts';
import type { Vault } from '../../secrets.ts';

export interface LostActsDeps {
  db: Db;
  vault: Vault;
  platform: Pick<AdPlatform, 'readStatusChanges' | 'readStatuses'>;
  clock: Clock;
}

/** A campaign that we have paused or resumed, which the restored rows do not know. */
export interface LostAct extends OwnChange {
  name: string;
  /** The hold that was resumed; null: a pause, of which there is none. */
  holdId: string | null;
  /** Who has SmartPause on for it; null: nobody, so nobody wants it to be resumed by us. */
  wantedBy: string | null;
}

export interface LostActs {
  acts: LostAct[];
  /** Ad accounts of which nothing can be said, and why. */
  unread: { accountId: string; why: string }[];
}

/** Ad accounts that are read at a time: everybody waits for the end of it. */
const AT_A_TIME = 50;
/** Our clock then may have been so far ahead of the platform's. */
const MARGIN_MS = minutes(1);

/**
 * After the database was restored to an earlier time: what we have done on the platform since, by its own log. A campaign
 * whose last change was somebody else's is theirs, and is left out.
 */
export async function findLostActs(deps: LostActsDeps, since: Instant): Promise<LostActs> {
  const found: LostActs = { acts: [], unread: [] };
  const left = (await findAccounts(deps.db)).entries();
  const work = async (): Promise<void> => {
    for (const [accountId, account] of left) {
      const changes = await readOwnChanges(deps, account, { accountId, since: since - MARGIN_MS });
      if (!changes.ok) found.unread.push({ accountId, why: changes.why });
      else for (const change of changes.own) found.acts.push(...(await missing(deps, change)));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  // As they happened, whoever answered first.
  found.acts.sort((a, b) => a.at - b.at || (a.campaignId < b.campaignId ? -1 : 1));
  found.unread.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
  return found;
}

type OwnChanges = { ok: true; own: OwnChange[] } | { ok: false; why: string };

/** By whoever of them the platform answers. */
async function readOwnChanges(
  { vault, platform }: LostActsDeps,
  { readers, isLost }: KnownAccount,
  { accountId, since }: { accountId: string; since: Instant },
): Promise<OwnChanges> {
  let why = isLost
    ? 'Meta lets nobody of SmartPause at it any more'
    : 'nobody has a permission that can be used';
  for (const { personId, token: sealed } of readers) {
    const token = vault.open(sealed, tokenContext(personId));
    if (token === null) {
      why = 'the key that opens its access token is not here';
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
    // An entry that set something else is not the last change.
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

async function missing({ db }: LostActsDeps, change: OwnChange): Promise<LostAct[]> {
  const { name, hold, isPauseKnown, wantedBy } = await knownOf(db, change);
  if (change.to === 'PAUSED') {
    return hold !== null || isPauseKnown ? [] : [{ ...change, name, holdId: null, wantedBy }];
  }
  return hold === null || hold.isResuming ? [] : [{ ...change, name, holdId: hold.id, wantedBy }];
}

/**
 * Writes the intents that were lost, as a crash would have left them: the engine looks, tells, and resumes what is due.
 * Answers which: a pause that nobody wants SmartPause for is left to people, and so is one beside a hold that has not ended.
 */
export async function writeLostActs(deps: LostActsDeps, acts: readonly LostAct[]): Promise<LostAct[]> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (tx) => {
    const written: LostAct[] = [];
    for (const act of acts) if (await writeLostAct(tx, act, now)) written.push(act);
    return written;
  });
}

async function writeLostAct(tx: Db, act: LostAct, now: Instant): Promise<boolean> {
  if (act.holdId !== null) return writeLostResume(tx, act, act.holdId, now);
  return act.wantedBy !== null && (await writeLostPause(tx, act, act.wantedBy, now));
}
