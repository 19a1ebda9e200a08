import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { GraphCall, GraphResponse } from '../platforms/meta/client.ts';
import { callOutcome, callName } from './platform-calls.ts';
import { watchWebhooks } from './webhook-failures.ts';

const NOTIFICATION_OUTCOMES = ['sent', 'retried', 'failed'] as const;
const WEBHOOK_OUTCOMES = ['taken', 'refused', 'failed'] as const;
const WEBHOOKS: Record<string, string> = {
  '/webhooks/stripe': 'stripe',
  '/auth/facebook/deauthorize': 'meta_deauthorize',
  '/auth/facebook/data-deletion': 'meta_data_deletion',
};

function createInstruments(registry: Registry) {
  const registers = [registry];
  const calls = new Histogram({
    name: 'smartpause_platform_call_seconds',
    help: "Calls to Meta's Graph API, by kind of call and outcome.",
    labelNames: ['call', 'outcome'],
    buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  });
  const limits = new Histogram({
    name: 'smartpause_platform_limit_used_ratio',
    help: "How much of an ad account's limit was used, as Meta said with each response; 1 and above is blocked.",
    buckets: [0.1, 0.25, 0.5, 0.75, 0.9, 0.99],
    registers,
  });
  const pauses = new Histogram({
    name: 'smartpause_pause_seconds',
    help: 'From the change of the status to Meta’s word that a campaign is paused, where nothing else has changed since.',
    buckets: [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 900],
    registers,
  });
  const notifications = new Counter({
    name: 'smartpause_notifications_total',
    help: 'Notifications handed to the mail server, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const readings = new Counter({
    name: 'smartpause_status_readings_total',
    help: "Reads of Meta's status page by this process, by the level read.",
    labelNames: ['level'],
    registers,
  });
  const requests = new Histogram({
    name: 'smartpause_http_request_duration_seconds',
    help: 'Requests of browsers and others until their response has ended, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const webhooks = new Counter({
    name: 'smartpause_webhooks_total',
    help: 'Webhook calls of Stripe and Meta, by outcome.',
    labelNames: ['from', 'outcome'],
    registers,
  });
  return { calls, limits, pauses, notifications, readings, requests, webhooks };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of this process, for operators. */
export function createMetrics(clock: Clock) {
  const registry = new Registry();
  const webhookWatch = watchWebhooks();
  collectDefaultMetrics({ register: registry });
  const { calls, limits, pauses, notifications, readings, requests, webhooks } = createInstruments(registry);
  // Initialize at 0: otherwise the first event is no increase, and no alert fires.
  for (const outcome of NOTIFICATION_OUTCOMES) notifications.inc({ outcome }, 0);
  for (const from of Object.values(WEBHOOKS))
    for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ from, outcome }, 0);
  return {
    registry,
    platformResponded: (call: GraphCall, response: GraphResponse, tookMs: number) =>
      calls.observe({ call: callName(call), outcome: callOutcome(response) }, tookMs / 1000),
    /** @param percent used of the platform's rate limit for an ad account */
    limitUsed: (percent: number) => limits.observe(percent / 100),
    /** @param afterMs from the status change to the platform's confirmation that the campaign is paused */
    paused: (afterMs: number) => pauses.observe(afterMs / 1000),
    notificationTried: (outcome: (typeof NOTIFICATION_OUTCOMES)[number]) => notifications.inc({ outcome }),
    statusRead: (level: string) => readings.inc({ level }),
    requestHandled: (request: { method: string; route: string; status: number; ms: number }) => {
      const { method, route, status, ms } = request;
      requests.observe({ method, route, status: String(status) }, ms / 1000);
      const from = WEBHOOKS[route];
      if (from === undefined) return;
      const outcome = outcomeOf(status);
      webhooks.inc({ from, outcome });
      webhookWatch.handled(from, outcome === 'taken', clock.now());
    },
    webhookFailures: () => webhookWatch.failures(clock.now()),
  };
}

function outcomeOf(status: number): (typeof WEBHOOK_OUTCOMES)[number] {
  if (status < 400) return 'taken';
  return status < 500 ? 'refused' : 'failed';
}
