import type Stripe from 'stripe';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/read-config.ts';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/open-database.ts';
import type { Demo } from '../http/pages.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Mailer } from '../notifications/channels/email.ts';
import type { Log } from '../observability/log.ts';
import type { Http } from '../platforms/http.ts';
import type { ReconcilerTimings } from '../reconciler/loop.ts';
import type { TokenCipher } from '../secrets.ts';

/** How the app reaches Meta, Stripe and users' mailboxes: tests respond in their own process. */
export interface Transports {
  http: Http;
  stripe: Stripe.HttpClient;
  mailer: Mailer;
}

export interface AppOptions {
  webFolder: string;
  /** Only in demo mode. */
  demo?: Demo;
  clock?: Clock;
  /** Log destination; standard output by default. */
  logTo?: NodeJS.WritableStream;
  timings?: ReconcilerTimings;
  /** Maximum concurrent calls of the reconciler to the platform. */
  concurrency?: number;
  /** Requests per minute; by default RATE_LIMITS. */
  rateLimits?: Partial<RateLimits>;
  /** An open database; the app migrates and closes it like its own. */
  database?: Database;
  /** No other process uses the database, so that all leases in it are of dead processes. */
  ownsDatabase?: boolean;
  /** Instead of the network. */
  transports?: Partial<Transports>;
  /** Nothing runs by itself: `turn` and `runTask` do the background work. For tests, which step time. */
  isStepped?: boolean;
}

/** What all parts of this process stand on. */
export interface Base {
  config: Config;
  options: AppOptions;
  /** Pool of the reconciler and the scheduled tasks. */
  db: Db;
  /** Pool of the pages, which must not wait for the reconciler. */
  pagesDb: Db;
  /** Pool of the outbox worker. */
  notificationsDb: Db;
  clock: Clock;
  cipher: TokenCipher;
  log: Log;
  metrics: Metrics;
  /** Identifies this process in leases. */
  owner: string;
  /** A status that was not read for this long counts as UNKNOWN. */
  staleMs: number;
}
