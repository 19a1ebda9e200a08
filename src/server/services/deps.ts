import type { AdPlatform } from '../platforms/meta/ads.ts';
import type { PlatformLogin } from '../platforms/meta/login.ts';
import type { Billing } from '../stripe/billing.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Log } from '../observability/log.ts';
import type { Trouble } from '#core/trouble.ts';
import type { Role } from '#core/roles.ts';
import type { Readings } from './campaigns/readings.ts';
import type { SharedReads } from './campaigns/shared-reads.ts';
import type { Vault } from '../secrets.ts';

/** What the operations work with. */
export interface OperationDeps {
  db: Db;
  /** What many calls ask for at a time. */
  shared: SharedReads;
  vault: Vault;
  platform: AdPlatform;
  login: PlatformLogin;
  billing: Billing;
  clock: Clock;
  log: Log;
  /** Of the lists that this process reads for pages. */
  readings: Readings;
  /** Names this process in leases. */
  owner: string;
  /** Tells the engine that something was written that could matter. It finds out by itself as well, later. */
  wake: () => void;
  /** How it stands with what is around this process; null where all is well. */
  around: {
    platform: () => Trouble | null;
    billing: () => Trouble | null;
    database: () => Promise<'fine' | 'slow' | 'gone'>;
  };
  /** A status that nobody has read for this long counts as UNKNOWN. */
  staleMs: number;
  /** Whether what an administrator does here may affect live users. */
  isProductionLike: boolean;
  redirectUri: string;
  /** Where people reach this installation; without a slash at the end. */
  publicUrl: string;
  /** Who gets which role at their login, by configuration. */
  appointed: readonly { platformUserId: string; role: Role }[];
}
