import { isStale } from './smartpause/status.ts';
import type { Instant } from './time.ts';
import { minutes } from './time.ts';

/** Totals over all processes, from the database, for the metrics and System health. */
export interface StoredNumbers {
  statusCheckedAt: Instant | null;
  trueLevel: string;
  effectiveLevel: string;
  hasDirective: boolean;
  /** What the last status observation could not read; null: nothing. */
  statusTrouble: string | null;
  /** The watched services that it could not find or understand. */
  statusMissing: string[];
  /** Live holds by state, without live tests. */
  holds: Record<'pausing' | 'paused' | 'resuming', number>;
  /** Without a usable token or access, or while Meta's limit blocks the ad account. */
  holdsNotResumable: number;
  oldestNotResumableAt: Instant | null;
  /** A write that has just been sent does not count. */
  holdsUnconfirmed: number;
  oldestUnconfirmedAt: Instant | null;
  workItems: Record<'due' | 'working' | 'limited' | 'planned', number>;
  /** Ad accounts whose last read or write failed. */
  failingWorkItems: number;
  /** The due time of the work item that has waited longest. */
  oldestDueAt: Instant | null;
  notificationsWaiting: number;
  /** Of the waiting ones, those that the mail server has not accepted at the first attempt. */
  notificationsRetried: number;
  oldestNotificationAt: Instant | null;
  /** Abandoned in the last day. */
  notificationsFailed: number;
  /** Tokens of subscribers with SmartPause on that Meta refuses. */
  tokensRefused: number;
  oldestTokenRefusedAt: Instant | null;
  /** Tokens whose key is not in the configuration. */
  tokensUndecryptable: number;
  usersLeaving: number;
  /** Of these, users whose departure has failed at least twice. */
  usersLeavingFailing: number;
  oldestLeavingAt: Instant | null;
  /** Customers whose subscription could not be read from Stripe. */
  subscriptionsFailing: number;
  oldestSubscriptionFailingAt: Instant | null;
}

export interface WebhookFailures {
  /** Refused and failed webhooks of a sender since its last accepted one. */
  webhooksFailing: number;
  oldestWebhookFailureAt: Instant | null;
}

/** What the metrics and System health show. */
export interface SystemNumbers extends StoredNumbers, WebhookFailures {}

/** Due work starts within a second in normal operation. */
const QUEUE_BEHIND_MS = minutes(1);
/** A notification of follow-ups is 15 minutes old when it is rendered. */
const EMAIL_LATE_MS = minutes(30);

export function isQueueBehind({ oldestDueAt }: Pick<SystemNumbers, 'oldestDueAt'>, now: Instant): boolean {
  return oldestDueAt !== null && now - oldestDueAt > QUEUE_BEHIND_MS;
}

/** The numbers by part, and which parts an admin should look at. */
export function systemHealthOf(found: SystemNumbers, { now, staleMs }: { now: Instant; staleMs: number }) {
  const { holds, holdsNotResumable: notResumable, holdsUnconfirmed: unconfirmed } = found;
  const { notificationsWaiting: waiting, notificationsRetried: retried, notificationsFailed: failed } = found;
  const { tokensRefused: refused, tokensUndecryptable: undecryptable, usersLeaving: users } = found;
  const isEmailLate = found.oldestNotificationAt !== null && now - found.oldestNotificationAt > EMAIL_LATE_MS;
  return {
    statusPage: {
      needsAttention: isStale(found.statusCheckedAt, now, staleMs) || found.trueLevel === 'UNKNOWN',
      readAt: found.statusCheckedAt,
      trouble: found.statusTrouble,
      missing: found.statusMissing,
    },
    queue: part(isQueueBehind(found, now), found.oldestDueAt, { due: found.workItems.due }),
    accounts: failingPart(found.failingWorkItems, null),
    holds: part(notResumable > 0, found.oldestNotResumableAt, { ...holds, notResumable }),
    writes: part(unconfirmed > 0, found.oldestUnconfirmedAt, { unconfirmed }),
    emails: part(retried + failed > 0 || isEmailLate, found.oldestNotificationAt, {
      waiting,
      retried,
      failed,
    }),
    tokens: part(refused + undecryptable > 0, found.oldestTokenRefusedAt, { refused, undecryptable }),
    leaving: { ...failingPart(found.usersLeavingFailing, found.oldestLeavingAt), users },
    subscriptions: failingPart(found.subscriptionsFailing, found.oldestSubscriptionFailingAt),
    webhooks: failingPart(found.webhooksFailing, found.oldestWebhookFailureAt),
  };
}

function part<Counts>(needsAttention: boolean, oldest: Instant | null, counts: Counts) {
  return { needsAttention, oldest, ...counts };
}

function failingPart(failing: number, oldest: Instant | null) {
  return part(failing > 0, oldest, { failing });
}
