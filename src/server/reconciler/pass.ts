import { afterFailure } from '#core/after-failure.ts';
import type { ChangeLog } from '#core/reconciler/change-log.ts';
import type { World, LiveCampaign } from '#core/reconciler/world.ts';
import { worldUserOf } from '#core/reconciler/world.ts';
import { withWishes } from '#core/reconciler/manual-write.ts';
import { currentStatus, firstMatchSince } from '#core/smartpause/status.ts';
import type { Usage } from '#core/platform-usage.ts';
import type { PlatformFailure, StoredFailure } from '#core/platform.ts';
import { NO_FAILURE, storedFailure } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import type { Clock } from '../clock.ts';
import type { CampaignList } from '../db/campaigns.ts';
import type { Db } from '../db/database.ts';
import type { StoredWorld, StoredUser } from '../db/load-worlds.ts';
import { loadWorlds } from '../db/load-worlds.ts';
import type { ManualChange } from '../db/holds/manual-changes.ts';
import type { StatusRow } from '../db/status/status.ts';
import { readStatus } from '../db/status/status.ts';
import { tokenContext } from '../db/users/tokens.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import { AS_BEFORE, findGeneration } from '../db/work-items.ts';
import type { Log } from '../observability/log.ts';
import type { AdPlatform } from '../platforms/platform.ts';
import type { TokenCipher } from '../secrets.ts';
import type { CampaignUpdate, ReconcilerStore } from './store.ts';

/** After a stop of the app the accounts that probed wait so long for the others. */
const BEHIND_MS = seconds(15);

export interface ReconcileDeps {
  db: Db;
  platform: Omit<AdPlatform, 'listAdAccounts'>;
  store: ReconcilerStore;
  clock: Clock;
  cipher: TokenCipher;
  log: Log;
  /** A status without an observation for this long counts as UNKNOWN. */
  staleMs: number;
  /** Called when the platform confirms a pause, with the delay since the status change. */
  onPaused?: (afterMs: number) => void;
}

/**
 * What the platform lets a user do in the ad account. `lost`: it refuses the account, which is stored;
 * `none`: it could not be read in this pass; `read`: it refused a resume in this pass.
 */
export type Access = 'full' | 'read' | 'none' | 'lost';

/** One pass over one ad account: what was loaded, and what it has found out so far. */
export interface Pass {
  claim: WorkItemClaim;
  status: StatusRow;
  stored: StoredWorld;
  /** Of users whose token can be decrypted. */
  tokens: ReadonlyMap<string, string>;
  /** As this pass has seen it, by user. */
  access: Map<string, Access>;
  /** Null: it was not read. */
  list: CampaignList | null;
  /** Null: no user can read the account, or it was not read. */
  campaigns: readonly LiveCampaign[] | null;
  readBy: string | null;
  readAt: Instant;
  /** Of the campaigns that were read. */
  names: ReadonlyMap<string, string>;
  logOf: (campaignId: string) => ChangeLog;
  usage: Usage | null;
  /** Of the last call, not stored yet. */
  updates: readonly CampaignUpdate[] | null;
  /** Users of whom Meta has accepted a write in this pass. */
  accepted: Set<string>;
  /** How often it was loaded again. */
  loads: number;
  /** When to look at the account next; null: only on an event. */
  lookAt: Instant | null;
  /** No call for this ad account may be sent until then. */
  blockedUntil: Instant | null;
  /** Why the account or its activity log could not be read; null: they were, or need not be. */
  failure: PlatformFailure | null;
  lastFailure: StoredFailure;
}

type Loading = Pick<ReconcileDeps, 'clock' | 'staleMs' | 'cipher' | 'log'>;

/** Loads everything after the generations of the claims, so that none of it is older. */
export async function loadPasses(
  session: Db,
  claims: readonly WorkItemClaim[],
  deps: Loading,
): Promise<Pass[]> {
  if (claims.length === 0) return [];
  const { clock, staleMs } = deps;
  const row = await readStatus(session);
  const worlds = await loadWorlds(
    session,
    claims.map(({ accountId }) => accountId),
    { now: clock.now(), matchBegan: firstMatchSince(row) },
  );
  const status = currentStatus(row, clock.now(), staleMs);
  return claims.flatMap((claim) => {
    const stored = worlds.get(claim.accountId);
    if (stored === undefined) return [];
    const writes = withWishes(stored.writes, stored.changes);
    return [startPass(deps, { claim, status, stored: { ...stored, writes } })];
  });
}

function startPass(deps: Loading, loaded: Pick<Pass, 'claim' | 'status' | 'stored'>): Pass {
  return {
    ...loaded,
    tokens: openTokens(deps, loaded.stored.users),
    access: new Map(),
    list: null,
    campaigns: null,
    readBy: null,
    readAt: deps.clock.now(),
    names: new Map(),
    logOf: () => 'unread',
    accepted: new Set(),
    usage: loaded.claim.usage,
    updates: null,
    loads: 0,
    lookAt: null,
    blockedUntil: null,
    failure: null,
    lastFailure: NO_FAILURE,
  };
}

/** Loads what is stored now, and keeps what was read. False: the lease of the pass is over. */
export async function reloadPass(deps: Loading & Pick<ReconcileDeps, 'db'>, pass: Pass): Promise<boolean> {
  return deps.db.connection().execute(async (session) => {
    const generation = await findGeneration(session, pass.claim);
    if (generation === null) return false;
    const [fresh] = await loadPasses(session, [{ ...pass.claim, generation }], deps);
    if (fresh === undefined) return false;
    const { claim, status, stored, tokens } = fresh;
    Object.assign(pass, { claim, status, stored, tokens });
    return true;
  });
}

function openTokens({ cipher, log }: Loading, users: readonly StoredUser[]): Map<string, string> {
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

export function accessOf({ access }: Pass, { user, isAccountLost }: StoredUser): Access {
  return access.get(user.id) ?? (isAccountLost ? 'lost' : 'full');
}

export function isOfMany(change: ManualChange | undefined): boolean {
  return change?.isOfMany === true;
}

export function userOf({ stored }: Pass, userId: string | undefined): StoredUser | undefined {
  return stored.users.find(({ user }) => user.id === userId);
}

/** The account or its activity log could not be read. */
export function noteFailure(pass: Pass, failure: PlatformFailure, now: Instant): void {
  const { claim, usage } = pass;
  const after = afterFailure(failure, { failures: claim.failures + 1, usage, now }, Math.random());
  pass.failure = failure;
  // What waits for the app stays due as it was, so that the order of the budgets stays, too. A probe goes behind, and
  // lets others go first after the stop: this account may be the only one that meets it.
  const waits = failure.appStop !== null && failure.nextProbeInMs !== undefined;
  const probedAt = failure.wasProbe === true ? after.retryAt + BEHIND_MS : AS_BEFORE;
  pass.lookAt = waits ? probedAt : after.retryAt;
  pass.blockedUntil = after.blockedUntil;
  pass.lastFailure = storedFailure(failure);
}

/** @param tries whether a user whom the platform has refused the account may have access again */
export function worldOf(pass: Pass, now: Instant, { tries = false } = {}): World {
  const { stored, tokens } = pass;
  const hasAccess = (one: StoredUser): boolean =>
    tokens.has(one.user.id) && (tries || ['full', 'read'].includes(accessOf(pass, one)));
  return {
    status: pass.status,
    users: stored.users.map((user) => worldUserOf(user, hasAccess(user))),
    campaigns: pass.campaigns,
    readAt: pass.readAt,
    timeZone: stored.timeZone,
    holds: stored.holds,
    writes: stored.writes,
    logOf: pass.logOf,
    accepted: pass.accepted,
    schedules: stored.schedules,
    ofMany: new Set([...stored.changes.values()].filter(isOfMany).map(({ campaignId }) => campaignId)),
  };
}
