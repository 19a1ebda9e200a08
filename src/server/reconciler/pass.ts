import type { ChangeLog } from '#core/reconciler/change-log.ts';
import type { AccountWorld, LiveCampaign } from '#core/reconciler/account.ts';
import type { Status } from '#core/smartpause/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { StoredAccount, StoredUser } from '../db/holds/account.ts';
import { loadAccounts, toAccountUser } from '../db/holds/account.ts';
import { readStatus } from '../db/status/status.ts';
import { tokenContext } from '../db/users/tokens.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import { findOwnLeases } from '../db/work-items.ts';
import type { Log } from '../observability/log.ts';
import type { AdPlatform } from '../platforms/meta/ads.ts';
import type { TokenCipher } from '../secrets.ts';
import type { ReconcilerStore } from './store.ts';

export interface ReconcileDeps {
  db: Db;
  platform: AdPlatform;
  store: ReconcilerStore;
  clock: Clock;
  cipher: TokenCipher;
  log: Log;
  /** A status without an observation for this long counts as UNKNOWN. */
  staleMs: number;
  /** Called when the platform confirms a pause, with the delay since the status change. */
  onPaused?: (afterMs: number) => void;
}

/** What was loaded for one pass over an ad account. */
export interface Pass {
  claim: WorkItemClaim;
  status: Status;
  account: StoredAccount;
}

/** A pass with what it has found out. */
export interface Work extends Pass {
  /** Of users whose token can be decrypted. */
  tokens: ReadonlyMap<string, string>;
  /** Users who cannot reach the ad account, as this pass has seen, and whether they have lost it. */
  unreachable: ReadonlyMap<string, { isLost: boolean }>;
  /** Users who can read the ad account, and whose resumes Meta has denied in this pass. */
  deniedResume: ReadonlySet<string>;
  /** Null: no user can read the account, or it was not read. */
  campaigns: readonly LiveCampaign[] | null;
  readBy: string | null;
  readAt: Instant;
  names: ReadonlyMap<string, string>;
  logOf: (campaignId: string) => ChangeLog;
  usage: Usage | null;
}

type Loading = Pick<ReconcileDeps, 'clock' | 'staleMs'>;

/** Loads everything after the generations of the claims, so that none of it is older. */
export async function loadPasses(
  session: Db,
  claims: readonly WorkItemClaim[],
  { clock, staleMs }: Loading,
): Promise<Pass[]> {
  if (claims.length === 0) return [];
  const row = await readStatus(session);
  const accounts = await loadAccounts(
    session,
    claims.map(({ accountId }) => accountId),
    clock.now(),
  );
  const status = currentStatus(row, clock.now(), staleMs);
  return claims.flatMap((claim) => {
    const account = accounts.get(claim.accountId);
    return account === undefined ? [] : [{ claim, status, account }];
  });
}

export function startWork(deps: Pick<ReconcileDeps, 'clock' | 'cipher' | 'log'>, pass: Pass): Work {
  return {
    ...pass,
    tokens: openTokens(deps, pass.account.users),
    unreachable: new Map(),
    deniedResume: new Set(),
    campaigns: null,
    readBy: null,
    readAt: deps.clock.now(),
    names: new Map(),
    logOf: () => 'unread',
    usage: pass.claim.usage,
  };
}

/** The same reads with what is stored now; null: the lease of the pass is over. */
export async function reloadWork(deps: ReconcileDeps, work: Work): Promise<Work | null> {
  return deps.db.connection().execute(async (session) => {
    const generation = (await findOwnLeases(session, [work.claim])).get(work.claim.accountId);
    if (generation === undefined) return null;
    const [fresh] = await loadPasses(session, [{ ...work.claim, generation }], deps);
    return fresh === undefined ? null : { ...work, ...fresh, tokens: openTokens(deps, fresh.account.users) };
  });
}

function openTokens(
  { cipher, log }: Pick<ReconcileDeps, 'cipher' | 'log'>,
  users: readonly StoredUser[],
): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const { user, token: stored } of users) {
    if (stored === null) continue;
    const token = cipher.decrypt(stored, tokenContext(user.id));
    if (token === null)
      log.error({ user: user.id, key: stored.keyId }, 'platform token could not be decrypted');
    else tokens.set(user.id, token);
  }
  return tokens;
}

/** @param tries whether a user whom the platform has refused the account may have access again */
export function worldOf(work: Work, now: Instant, { tries = false } = {}): AccountWorld {
  const { account, tokens, unreachable, readBy } = work;
  const hasAccess = ({ user, isAccountLost }: StoredUser): boolean =>
    tokens.has(user.id) && !unreachable.has(user.id) && (!isAccountLost || user.id === readBy || tries);
  return {
    status: work.status,
    users: account.users.map((user) => toAccountUser(user, hasAccess(user), now)),
    campaigns: work.campaigns,
    readAt: work.readAt,
    holds: account.holds,
    writes: account.writes,
    logOf: work.logOf,
  };
}
