import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { GraphCall, RawAnswer } from '../platforms/meta/client.ts';
import { whatCameOfIt, whatIsCalled } from './platform-calls.ts';

/** What this process counts by itself, for whoever runs it. */
export interface Metrics {
  registry: Registry;
  platformAnswered: (call: GraphCall, answer: RawAnswer, tookMs: number) => void;
  /** @param percent of what the platform allows for an ad account */
  limitUsed: (percent: number) => void;
  /** @param afterMs from the change of the status to the platform's word that the campaign is paused */
  paused: (afterMs: number) => void;
  mailTried: (outcome: (typeof MAIL_OUTCOMES)[number]) => void;
  statusRead: (level: string) => void;
  answered: (answer: { method: string; route: string; status: number; ms: number }) => void;
}

const MAIL_OUTCOMES = ['sent', 'to_be_tried_again', 'given_up'] as const;
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
    help: "Calls to Meta's Graph API, by what was asked and what came of it.",
    labelNames: ['call', 'outcome'],
    buckets: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  });
  const limits = new Histogram({
    name: 'smartpause_platform_limit_used_ratio',
    help: "How much of an ad account's limit was used, as Meta said along with each answer; 1 and above is blocked.",
    buckets: [0.1, 0.25, 0.5, 0.75, 0.9, 0.99],
    registers,
  });
  const pauses = new Histogram({
    name: 'smartpause_pause_seconds',
    help: 'From the change of the status to Meta’s word that a campaign is paused, where nothing else has changed since.',
    buckets: [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 900],
    registers,
  });
  const mails = new Counter({
    name: 'smartpause_mails_total',
    help: 'Mails that were handed to the mail server, by what came of it.',
    labelNames: ['outcome'],
    registers,
  });
  const readings = new Counter({
    name: 'smartpause_status_readings_total',
    help: "Readings of Meta's status page by this process, by the level that they showed.",
    labelNames: ['level'],
    registers,
  });
  const answers = new Histogram({
    name: 'smartpause_http_answer_seconds',
    help: 'Answers to browsers and others, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const webhooks = new Counter({
    name: 'smartpause_webhooks_total',
    help: 'What Stripe and Meta have called us with, by what came of it.',
    labelNames: ['from', 'outcome'],
    registers,
  });
  return { calls, limits, pauses, mails, readings, answers, webhooks };
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { calls, limits, pauses, mails, readings, answers, webhooks } = createInstruments(registry);
  // The first of a kind would be no increase otherwise, and an alert would sleep through it.
  for (const outcome of MAIL_OUTCOMES) mails.inc({ outcome }, 0);
  for (const from of Object.values(WEBHOOKS))
    for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ from, outcome }, 0);
  return {
    registry,
    platformAnswered: (call, answer, tookMs) =>
      calls.observe({ call: whatIsCalled(call), outcome: whatCameOfIt(answer) }, tookMs / 1000),
    limitUsed: (percent) => limits.observe(percent / 100),
    paused: (afterMs) => pauses.observe(afterMs / 1000),
    mailTried: (outcome) => mails.inc({ outcome }),
    statusRead: (level) => readings.inc({ level }),
    answered: ({ method, route, status, ms }) => {
      answers.observe({ method, route, status: String(status) }, ms / 1000);
      const from = WEBHOOKS[route];
      if (from !== undefined) webhooks.inc({ from, outcome: outcomeOf(status) });
    },
  };
}

function outcomeOf(status: number): (typeof WEBHOOK_OUTCOMES)[number] {
  if (status < 400) return 'taken';
  return status < 500 ? 'refused' : 'failed';
}
