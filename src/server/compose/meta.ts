import type { Usage } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { createAppStateStore } from '../db/app-state.ts';
import type { Http } from '../platforms/http.ts';
import { createHttp } from '../platforms/http.ts';
import { reportsWithVotes, withVotes } from '../detection/count-votes.ts';
import { createAdPlatform } from '../platforms/meta/ads.ts';
import { AppGate } from '../platforms/meta/app-gate.ts';
import { CircuitBreaker } from '../platforms/meta/circuit-breaker.ts';
import type { GraphClient, GraphConfig } from '../platforms/meta/client.ts';
import { createGraphClient, readApp } from '../platforms/meta/client.ts';
import { createSpendReports } from '../platforms/meta/insights.ts';
import { createPlatformLogin } from '../platforms/meta/login.ts';
import { PageSizes } from '../platforms/meta/page-sizes.ts';
import { createStatusPage } from '../platforms/meta/status-page/status-page.ts';
import type { AdPlatform, CallGate } from '../platforms/platform.ts';
import { startScheduledTask } from '../scheduled-task.ts';
import { startCounting } from './detection.ts';
import type { Base } from './options.ts';

/** Calls to Meta that pages, and that logins, may have under way. */
const PAGES_CONNECTIONS = 128;
const LOGIN_CONNECTIONS = 64;
const SPEND_CONNECTIONS = 16;
const CONTROL_BYTES = 64 * 1024;
/** Status files have some tens of kilobytes; a larger response is not one of them. */
const STATUS_PAGE_BYTES = 2 * 1024 * 1024;
/** So late a process learns that another one has met the app's limit. */
const APP_STATE_READ_MS = seconds(1);

export type Meta = ReturnType<typeof connectMeta>;

/** @param onRecovery called when Meta's API responds again after an outage, or serves our app again */
export function connectMeta(base: Base, onRecovery: () => void) {
  const { config, options, clock, metrics } = base;
  const { meta } = config;
  const now = () => clock.now();
  const clients: Http[] = [];
  const connect = (limits: { connections?: number; maxBodyBytes?: number }): Http => {
    const http = options.transports?.http ?? createHttp(limits);
    clients.push(http);
    return http;
  };
  const graphOver = (http: Http) => createGraphClient(meta, http, now, metrics.platformResponded);
  const { app, breaker, following, gate } = startGates(base, onRecovery);
  const sizes = new PageSizes();
  const { votes, storing, canary } = startCounting(base, {
    controls: connect({ connections: 8, maxBodyBytes: CONTROL_BYTES }),
    // Behind neither gate: it backs off by itself, and its token says nothing about those of users.
    graph: () => graphOver(connect({ connections: 8 })),
  });
  const platformOver = (graph: GraphClient, onUsage?: (usage: Usage) => void) =>
    withVotes(createAdPlatform(app.guard(breaker.guard(graph)), meta.appId, onUsage, sizes), votes);
  // Connections of their own: neither pages nor logins can use up those of the reconciler.
  const graph = graphOver(connect({}));
  const statusPage = createStatusPage({
    url: meta.statusUrl,
    services: meta.statusServices,
    http: connect({ connections: 8, maxBodyBytes: STATUS_PAGE_BYTES }),
    // A test or the demo moves the product's clock, not that of the status page.
    ...(options.clock === undefined && { now }),
  });
  return {
    app,
    gate,
    isDown: () => breaker.isOpen(),
    statusPage,
    platform: platformOver(graph, metrics.limitUsed),
    pagesPlatform: platformOver(graphOver(connect({ connections: PAGES_CONNECTIONS }))),
    spendReports: reportsWithVotes(
      createSpendReports(
        app.guard(breaker.guard(graphOver(connect({ connections: SPEND_CONNECTIONS })))),
        sizes,
      ),
      votes,
    ),
    votes,
    /** What a process does by itself each few seconds. */
    refresh: async () => {
      await app.refresh();
      await storing.run();
    },
    canary,
    // Logins bypass the circuit breaker: a successful login does not prove that campaigns can be read.
    taskLogin: createPlatformLogin(meta, app.guard(graph)),
    login: createPlatformLogin(meta, graphOver(connect({ connections: LOGIN_CONNECTIONS }))),
    close: () => Promise.all([following, storing, ...clients].map((part) => part.close())),
  };
}

/** What stops calls while Meta answers none, or refuses our app. */
function startGates({ config, options, clock, log, db }: Base, onRecovery: () => void) {
  const now = () => clock.now();
  const breaker = new CircuitBreaker(now, (lastError) => {
    if (lastError !== null) log.warn({ lastError }, 'Meta API circuit breaker opened');
    else {
      log.info({}, 'Meta API circuit breaker closed');
      onRecovery();
    }
  });
  const store = createAppStateStore(db);
  const app = new AppGate({ store, now, log, onOpen: onRecovery, appCall: readApp(config.meta) });
  const following = startScheduledTask({
    ...{ name: 'reading the state of the app', clock, log },
    everyMs: options.isStepped === true ? null : APP_STATE_READ_MS,
    run: () => app.refresh(),
  });
  const gate: CallGate = {
    isOpen: () => breaker.isOpen() || app.stopped() !== null,
    msUntilNextCall: () => Math.max(breaker.msUntilNextCall(), app.msUntilNextCall()),
  };
  return { app, breaker, following, gate };
}

/** For a program that reads while the app does not run. */
export function openAdPlatform(config: GraphConfig, http: Http, now: () => Instant): AdPlatform {
  return createAdPlatform(createGraphClient(config, http, now), config.appId);
}
