import type { Status } from '#core/smartpause/status.ts';
import { currentStatus } from '#core/smartpause/status.ts';
import type { Db } from '../db/database.ts';
import type { StoredManualChange } from '../db/holds/manual-changes.ts';
import { findManualChanges } from '../db/holds/manual-changes.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';
import { loadWorlds } from '../db/holds/worlds.ts';
import { readStatus } from '../db/status/status.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import { findOwnLeases } from '../db/work-items.ts';
import type { Log } from '../observability/log.ts';
import type { TokenCipher } from '../secrets.ts';
import type { ApplyDeps } from './apply-plan.ts';

export interface ReconcileDeps extends ApplyDeps {
  db: Db;
  cipher: TokenCipher;
  log: Log;
  /** A status without an observation for this long counts as UNKNOWN. */
  staleMs: number;
}

/** What was loaded for one pass over an ad account. */
export interface Pass {
  claim: WorkItemClaim;
  status: Status;
  worlds: readonly StoredWorld[];
  manualChanges: readonly StoredManualChange[];
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
  const accountIds = claims.map(({ accountId }) => accountId);
  const worlds = await loadWorlds(session, accountIds);
  const manualChanges = await findManualChanges(session, accountIds, clock.now());
  const status = currentStatus(row, clock.now(), staleMs);
  return claims.map((claim) => ({
    claim,
    status,
    worlds: worlds.get(claim.accountId) ?? [],
    manualChanges: manualChanges.filter(({ accountId }) => accountId === claim.accountId),
  }));
}

/** The pass as of now, for another plan; undefined: its lease is over. */
export async function reloadPass({ db, ...loading }: Loading & { db: Db }, { claim }: Pass) {
  return db.connection().execute(async (session) => {
    const generation = (await findOwnLeases(session, [claim])).get(claim.accountId);
    if (generation === undefined) return undefined;
    const [fresh] = await loadPasses(session, [{ ...claim, generation }], loading);
    return fresh;
  });
}
