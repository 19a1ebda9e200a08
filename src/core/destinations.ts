import type { NotificationKind } from './notifications.ts';
import type { EmailList } from './outages/end-words.ts';
import type { Instant } from './time.ts';

/** Where notifications go. A user's own email address is no destination: it gets all of them. */
export type DestinationKind = 'email' | 'slack' | 'teams' | 'discord' | 'pagerduty' | 'webhook';

/** What a destination chooses from. */
export type DestinationEvent =
  | 'paused'
  | 'resumed'
  | 'not_resumed'
  | 'turned_off_outside'
  | 'early_warning'
  | 'connection_expiring'
  | 'monthly_summary'
  | 'reminder';

/** Which of these a notification is; null: only an email to the user, since it is about them and nothing else. */
const EVENT_OF_KIND: Record<NotificationKind, DestinationEvent | null> = {
  paused: 'paused',
  resumed: 'resumed',
  disabled: 'turned_off_outside',
  live_test: null,
  unknown: 'not_resumed',
  token_stale: 'connection_expiring',
  token_expired: 'connection_expiring',
  account_lost: 'not_resumed',
  account_blocked: 'connection_expiring',
  deauthorized: null,
  deleted: null,
};

/** A notification about resumes also says what was not resumed: it is all that its lists say. */
const EVENT_OF_LIST: Record<EmailList, DestinationEvent> = {
  Resumed: 'resumed',
  'Resumed by you': 'resumed',
  'Resumed by another user': 'resumed',
  'Already running': 'resumed',
  'Not resumed': 'not_resumed',
  'Not resumed yet': 'not_resumed',
  'Not paused again': 'not_resumed',
  'To be resumed later': 'not_resumed',
  'Kept paused': 'not_resumed',
};

/**
 * The events that a notification is for destinations.
 * @param campaigns of a notification about resumes; an external change has turned SmartPause off for some
 */
export function eventsOf(
  kind: NotificationKind,
  campaigns: readonly { list: EmailList; isTurnedOff: boolean }[],
): DestinationEvent[] {
  const event = EVENT_OF_KIND[kind];
  if (event !== 'resumed') return event === null ? [] : [event];
  const all = campaigns.map(({ list, isTurnedOff }) =>
    isTurnedOff ? 'turned_off_outside' : EVENT_OF_LIST[list],
  );
  return [...new Set(all)];
}

const OF_OUTAGE: ReadonlySet<DestinationEvent> = new Set<DestinationEvent>([
  ...(['early_warning', 'paused', 'resumed', 'not_resumed', 'turned_off_outside', 'reminder'] as const),
]);

/** Whether a notification belongs to an outage, if there was one. */
export function isOfOutage(events: readonly DestinationEvent[]): boolean {
  return events.some((event) => OF_OUTAGE.has(event));
}

/** An address of another person gets nothing before they have confirmed it. The others are URLs that only their owners know. */
const NEEDS_VERIFICATION: ReadonlySet<DestinationKind> = new Set(['email']);

/** Whether a destination gets a notification with these events. */
export function isWanted(
  destination: {
    kind: DestinationKind;
    events: readonly DestinationEvent[];
    state: 'on' | 'off' | 'disabled';
    verifiedAt: Instant | null;
    quietUntil: Instant | null;
  },
  events: readonly DestinationEvent[],
  now: Instant,
): boolean {
  const { kind, state, verifiedAt, quietUntil } = destination;
  if (state !== 'on' || (quietUntil !== null && now < quietUntil)) return false;
  if (verifiedAt === null && NEEDS_VERIFICATION.has(kind)) return false;
  return events.some((event) => destination.events.includes(event));
}
