import { seconds } from '#core/time.ts';
import { cached } from './cached.ts';
import { connectMeta } from './connect-meta.ts';
import { hasMigrations } from './db/migrate.ts';
import { migrations } from './db/migrations/0001-initial.ts';
import { readGauges } from './db/reports/gauges.ts';
import { createHealth } from './health.ts';
import { CALLBACK_PATH } from './http/login-routes.ts';
import { addGauges } from './metrics/gauges.ts';
import { createAdPlatform } from './platforms/meta/ads.ts';
import { ListReads } from './services/campaigns/list-reads.ts';
import type { ServiceDeps } from './services/deps.ts';
import type { Shared } from './shared.ts';
import { Billing } from './stripe/billing.ts';
import { UserSignals } from './user-signals.ts';
import { startBackground, startWorker } from './worker.ts';

/** The database counts its rows at most this often. */
const NUMBERS_MS = seconds(5);

/** All parts but the HTTP server: Meta, services, reconciler and background tasks. */
export function connectParts(shared: Shared) {
  const { config, options, pagesDb, cipher, clock, log, metrics, staleMs } = shared;
  const meta = connectMeta(shared, () => worker?.reconciler.wake());
  const numbers = cached(clock, NUMBERS_MS, () => readGauges(pagesDb, cipher.keyIds, clock.now()));
  addGauges(metrics.registry, { numbers: numbers.read, clock, role: config.role, staleMs });
  const worker = config.role === 'web' ? null : startWorker(shared, meta);
  const signals = new UserSignals();
  const deps: ServiceDeps = {
    db: pagesDb,
    cipher,
    platform: createAdPlatform(meta.pagesGraph, config.meta.appId, undefined, meta.pageSizes),
    login: meta.login,
    billing: new Billing(config.stripe, log, options.transports?.stripe),
    isPlatformDown: () => meta.breaker.isOpen(),
    app: meta.app,
    systemNumbers: numbers.read,
    clock,
    log,
    lists: new ListReads(clock, log),
    owner: shared.owner,
    signals,
    wake: () => worker?.reconciler.wake(),
    staleMs,
    statusPage: meta.page,
    statusServices: config.meta.statusServices,
    statusPollMs: config.statusPollMs,
    isProductionLike: config.isProductionLike,
    redirectUri: config.publicUrl + CALLBACK_PATH,
    publicUrl: config.publicUrl,
    configuredRoles: config.configuredRoles,
  };
  const tasks = worker && startBackground(shared, meta, deps);
  const health = createHealth(clock, () => hasMigrations(pagesDb, Object.keys(migrations)));
  return { meta, health, worker, deps, tasks, signals };
}
