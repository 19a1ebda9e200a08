import type {
  AdPlatform,
  AppAccess,
  PlatformLogin,
  SpendReports,
  StatusPage,
  WatchedService,
} from '../platforms/platform.ts';
import type { Billing } from '../stripe/billing.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Channels } from '../notifications/channels/channels.ts';
import type { Log } from '../observability/log.ts';
import type { Role } from '#core/roles.ts';
import type { SystemNumbers } from '#core/system-health.ts';
import type { ListReads } from './campaigns/list-reads.ts';
import type { TokenCipher } from '../secrets.ts';
import type { UserSignals } from '../user-signals.ts';

/** All dependencies of the services. Each service names the ones it needs. */
export interface ServiceDeps {
  db: Db;
  cipher: TokenCipher;
  platform: AdPlatform;
  spendReports: SpendReports;
  login: PlatformLogin;
  billing: Billing;
  clock: Clock;
  /** The ways to send notifications. */
  channels: Channels;
  /** The operator's exceptions from what users may enter, as 'host:port'. */
  allowedAddresses: readonly string[];
  log: Log;
  lists: ListReads;
  /** Names this process in leases. */
  owner: string;
  signals: Pick<UserSignals, 'on'>;
  /** Wakes the reconciler after a relevant write. Without it the reconciler finds the change later. */
  wake: () => void;
  /** Meta responds to no call of this process. */
  isPlatformDown: () => boolean;
  app: AppAccess;
  statusPage: Pick<StatusPage, 'publishedIn'>;
  /** At most 5 s old. */
  systemNumbers: () => Promise<SystemNumbers>;
  /** A status that was not read for this long counts as UNKNOWN. */
  staleMs: number;
  /** The services of the status page that count. */
  statusServices: readonly WatchedService[];
  statusPollMs: number;
  /** The canary is configured. */
  hasCanary: boolean;
  /** Hosts outside Meta, which tell our own network's faults from Meta's. */
  controlUrls: readonly URL[];
  /** Whether admin actions here may affect real users. */
  isProductionLike: boolean;
  redirectUri: string;
  /** The public address of this installation, without a trailing slash. */
  publicUrl: string;
  /** Roles that the configuration grants at login. */
  configuredRoles: readonly { platformUserId: string; role: Role }[];
}

export type Needs<Name extends keyof ServiceDeps> = Pick<ServiceDeps, Name>;
