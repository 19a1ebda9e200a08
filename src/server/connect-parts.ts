import { seconds } from '#core/time.ts';
import { connectMeta } from './connect-meta.ts';
import type { Meta } from './connect-meta.ts';
import { migrations } from './db/migrations/0001-initial.ts';
import type { StoredState } from './health.ts';
import { createHealth, createReadiness, createStoredState } from './health.ts';
import { CALLBACK_PATH } from './http/login-routes.ts';
import { addProcessGauges, addStoredGauges } from './metrics/gauges.ts';
import { createAdPlatform } from './platforms/meta/ads.ts';
import { ListRefreshes } from './services/campaigns/list-refreshes.ts';
import type { ServiceDeps } from './services/deps.ts';
import type { Shared } from './shared.ts';
import { Billing } from './stripe/billing.ts';
import { startBackground, startWorker } from './worker.ts';

/** Enough for tens of thousands of campaigns. A user does not wait longer; the reconciler has no such limit. */
const PAGES_LIST_MS = seconds(60);

/** All parts but the HTTP server: services, reconciler and background tasks. */
export function connectParts(shared: Shared) {
  const meta = connectMeta(shared, () => worker?.reconciler.wake());
  const { readiness, stored, health } = watchHealth(shared);
  const worker = shared.config.role === 'web' ? null : startWorker(shared, meta);
  const deps = createDeps(shared, meta, { stored, wake: () => worker?.reconciler.wake() });
  const tasks = worker && startBackground(shared, meta, deps);
  return { meta, readiness, health, worker, deps, tasks };
}

function watchHealth({ config, pagesDb, cipher, clock, metrics, staleMs }: Shared) {
  const readiness = createReadiness(pagesDb);
  const stored = createStoredState({
    db: pagesDb,
    clock,
    migrations: Object.keys(migrations),
    keyIds: cipher.keyIds,
    webhookFailures: metrics.webhookFailures,
  });
  addStoredGauges(metrics.registry, { stored, clock });
  addProcessGauges(metrics.registry, { role: config.role, staleMs });
  return { readiness, stored, health: createHealth({ clock, readiness, stored, staleMs }) };
}

function createDeps(
  { config, options, pagesDb, cipher, clock, log, owner, staleMs }: Shared,
  { pagesGraph, login, breaker }: Meta,
  { stored, wake }: { stored: () => Promise<StoredState>; wake: () => void },
): ServiceDeps {
  return {
    db: pagesDb,
    cipher,
    platform: createAdPlatform(pagesGraph, config.meta.appId, { withinMs: PAGES_LIST_MS }),
    login,
    billing: new Billing(
      config.stripe,
      (details) => {
        log[details.failure === 'misconfigured' ? 'error' : 'warn'](details, 'Stripe request failed');
      },
      options.transports?.stripe,
    ),
    isPlatformDown: () => breaker.isOpen(),
    systemNumbers: async () => (await stored()).gauges,
    clock,
    log,
    refreshes: new ListRefreshes(() => clock.now()),
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
