import type { SystemNumbers } from '#core/system-health.ts';
import { seconds } from '#core/time.ts';
import { cached } from './cached.ts';
import { connectMeta } from './connect-meta.ts';
import type { Meta } from './connect-meta.ts';
import { hasMigrations } from './db/migrate.ts';
import { migrations } from './db/migrations/0001-initial.ts';
import { readGauges } from './db/reports/gauges.ts';
import { createHealth } from './health.ts';
import { CALLBACK_PATH } from './http/login-routes.ts';
import { addProcessGauges, addStoredGauges } from './metrics/gauges.ts';
import { createAdPlatform } from './platforms/meta/ads.ts';
import { ListReads } from './services/campaigns/list-reads.ts';
import type { ServiceDeps } from './services/deps.ts';
import type { Shared } from './shared.ts';
import { Billing } from './stripe/billing.ts';
import { startBackground, startWorker } from './worker.ts';

/** Enough for tens of thousands of campaigns. A user does not wait longer; the reconciler has no such limit. */
const PAGES_LIST_MS = seconds(60);

/** All parts but the HTTP server: services, reconciler and background tasks. */
export function connectParts(shared: Shared) {
  const meta = connectMeta(shared, () => worker?.reconciler.wake());
  const { numbers, health } = watchHealth(shared);
  const worker = shared.config.role === 'web' ? null : startWorker(shared, meta);
  const deps = createDeps(shared, meta, { numbers, wake: () => worker?.reconciler.wake() });
  const tasks = worker && startBackground(shared, meta, deps);
  return { meta, health, worker, deps, tasks };
}

/** The database counts its rows at most this often. */
const NUMBERS_MS = seconds(5);

function watchHealth({ config, pagesDb, cipher, clock, metrics, staleMs }: Shared) {
  const now = () => clock.now();
  const { read: numbers } = cached(
    NUMBERS_MS,
    async (): Promise<SystemNumbers> => ({
      ...(await readGauges(pagesDb, cipher.keyIds, now())),
      webhooks: metrics.webhookFailures(),
    }),
    now,
  );
  addStoredGauges(metrics.registry, { numbers, clock });
  addProcessGauges(metrics.registry, { role: config.role, staleMs });
  return { numbers, health: createHealth(clock, () => hasMigrations(pagesDb, Object.keys(migrations))) };
}

function createDeps(
  { config, options, pagesDb, cipher, clock, log, owner, staleMs }: Shared,
  { pagesGraph, login, breaker }: Meta,
  { numbers, wake }: { numbers: () => Promise<SystemNumbers>; wake: () => void },
): ServiceDeps {
  return {
    db: pagesDb,
    cipher,
    platform: createAdPlatform(pagesGraph, config.meta.appId, { withinMs: PAGES_LIST_MS }),
    login,
    billing: new Billing(config.stripe, log, options.transports?.stripe),
    isPlatformDown: () => breaker.isOpen(),
    systemNumbers: numbers,
    clock,
    log,
    lists: new ListReads(clock, log),
    owner,
    wake,
    staleMs,
    statusServices: config.meta.statusServices,
    statusPollMs: config.statusPollMs,
    isProductionLike: config.isProductionLike,
    redirectUri: config.publicUrl + CALLBACK_PATH,
    publicUrl: config.publicUrl,
    configuredRoles: config.configuredRoles,
  };
}
