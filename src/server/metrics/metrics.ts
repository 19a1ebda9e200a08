import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Usage } from '#core/platform-usage.ts';

const NOTIFICATION_OUTCOMES = ['sent', 'retried', 'failed'] as const;
const WEBHOOK_OUTCOMES = ['taken', 'refused', 'failed'] as const;
const WEBHOOKS: Record<string, string> = {
  '/webhooks/stripe': 'stripe',
  '/auth/facebook/deauthorize': 'meta_deauthorize',
  '/auth/facebook/data-deletion': 'meta_data_deletion',
};

function createInstruments(registry: Registry) {
  const registers = [registry];
  const named = (name: string, help: string, labelNames: string[]) => ({
    ...{ name: `smartpause_${name}`, help, labelNames, registers },
  });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ ...named(name, help, labelNames), buckets });
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter(named(name, help, labelNames));
  return {
    calls: histogram(
      'platform_call_seconds',
      "Calls to Meta's Graph API, by kind of call and outcome.",
      ['call', 'outcome'],
      [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60],
    ),
    limits: histogram(
      'platform_limit_used_ratio',
      "How much of an ad account's limit was used, as Meta said with each response; 1 and above is blocked.",
      [],
      [0.1, 0.25, 0.5, 0.75, 0.9, 0.99],
    ),
    pauses: histogram(
      'pause_seconds',
      'From the change of the status to Meta’s word that a campaign is paused, where nothing else has changed since.',
      [],
      [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 900],
    ),
    requests: histogram(
      'http_request_duration_seconds',
      'Requests of browsers and others until their response has ended, by route.',
      ['method', 'route', 'status'],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ),
    notifications: counter('notifications_total', 'Handed to the mail server, by outcome.', ['outcome']),
    readings: counter('status_readings_total', "Reads of Meta's status page, by the level read.", ['level']),
    webhooks: counter('webhooks_total', 'Webhook calls of Stripe and Meta, by outcome.', ['from', 'outcome']),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of this process, for operators. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { calls, limits, pauses, notifications, readings, requests, webhooks } = createInstruments(registry);
  // Initialize at 0: otherwise the first event is no increase, and no alert fires.
  for (const outcome of NOTIFICATION_OUTCOMES) notifications.inc({ outcome }, 0);
  for (const from of Object.values(WEBHOOKS))
    for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ from, outcome }, 0);
  return {
    registry,
    platformResponded: (kinds: { call: string; outcome: string }, tookMs: number) =>
      calls.observe(kinds, tookMs / 1000),
    limitUsed: ({ percent }: Usage) => limits.observe(percent / 100),
    /** @param afterMs from the status change to the platform's confirmation that the campaign is paused */
    paused: (afterMs: number) => pauses.observe(afterMs / 1000),
    notificationTried: (outcome: (typeof NOTIFICATION_OUTCOMES)[number]) => notifications.inc({ outcome }),
    statusRead: (level: string) => readings.inc({ level }),
    requestHandled: (request: { method: string; route: string; status: number; ms: number }) => {
      const { method, route, status, ms } = request;
      requests.observe({ method, route, status: String(status) }, ms / 1000);
      const from = WEBHOOKS[route];
      if (from !== undefined) webhooks.inc({ from, outcome: outcomeOf(status) });
    },
  };
}

function outcomeOf(status: number): (typeof WEBHOOK_OUTCOMES)[number] {
  if (status < 400) return 'taken';
  return status < 500 ? 'refused' : 'failed';
}
