import type { Db } from '../db/database.ts';
import type { StoredManualChange } from '../db/holds/manual-changes.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';
import type { StatusRow } from '../db/status/status.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import type { Log } from '../observability/log.ts';
import type { TokenCipher } from '../secrets.ts';
import type { ApplyDeps } from './apply-plan.ts';

export interface ReconcileDeps extends ApplyDeps {
  db: Db;
  cipher: TokenCipher;
  log: Log;
}

/** What was loaded for one pass over an ad account. */
export interface Pass {
  claim: WorkItemClaim;
  status: StatusRow;
  worlds: readonly StoredWorld[];
  manualChanges: readonly StoredManualChange[];
}
