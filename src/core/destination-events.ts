import type { NotificationKind } from './notifications.ts';
import type { EmailList } from './outages/end-words.ts';
import { SUMMARY_DAY } from './periods.ts';

/** What a destination chooses from: the name of each choice, and what it covers. */
export const CHOICES = {
  paused: {
    label: 'Campaigns paused',
    covers: 'SmartPause pauses campaigns, or Meta refuses a pause.',
  },
  resumed: {
    label: 'Campaigns resumed',
    covers: 'SmartPause or a user has resumed campaigns, or they already run.',
  },
  not_resumed: {
    label: 'Campaigns not resumed',
    covers: 'A resume is refused or waits, access is lost, or Meta’s status stays unknown.',
  },
  reminder: {
    label: 'Campaigns still paused',
    covers: 'Campaigns have been paused for 6 hours, then daily.',
  },
  turned_off_outside: {
    label: 'SmartPause turned off by an outside change',
    covers: 'A change outside SmartPause turns it off for a campaign.',
  },
  early_warning: {
    label: 'Early warning',
    covers: 'Signs of a disruption, before Meta reports one.',
  },
  connection_expiring: {
    label: 'Connection to Meta needs attention',
    covers: 'The connection expires or is rejected, or Meta wants an ad account confirmed.',
  },
  monthly_summary: {
    label: 'Monthly summary',
    covers: 'What SmartPause did in the last month.',
  },
} as const;
export type DestinationEvent = keyof typeof CHOICES;
export const DESTINATION_EVENTS = Object.keys(CHOICES) as DestinationEvent[];

/** Each destination gets these: they are said once, and the user's own address, or another destination, gets nothing any more. */
export const FOR_ALL = ['address_refused', 'channel_disabled'] as const;
export type ReportedEvent = DestinationEvent | (typeof FOR_ALL)[number];

/**
 * When each notification is sent, and which of these it is; null: only an email to the user, since it is about them and
 * nothing else.
 */
export const NOTIFICATIONS: Record<NotificationKind, { when: string; event: ReportedEvent | null }> = {
  paused: { when: CHOICES.paused.covers, event: 'paused' },
  resumed: { when: 'SmartPause resumes campaigns, or can’t resume one.', event: 'resumed' },
  disabled: { when: CHOICES.turned_off_outside.covers, event: 'turned_off_outside' },
  live_test: { when: 'A live test ends.', event: null },
  unknown: {
    when: 'Meta’s status has been unknown for an hour while campaigns are paused.',
    event: 'not_resumed',
  },
  early_warning: { when: 'You chose early warnings, and one begins or ends.', event: 'early_warning' },
  reminder: { when: CHOICES.reminder.covers, event: 'reminder' },
  monthly_summary: {
    when: `The ${SUMMARY_DAY}th of each month, about the month before.`,
    event: 'monthly_summary',
  },
  account_lost: { when: 'We lose access to an ad account with paused campaigns.', event: 'not_resumed' },
  account_blocked: {
    when: 'Meta refuses our changes until you confirm an ad account.',
    event: 'connection_expiring',
  },
  destination_disabled: {
    when: 'One of your channels accepts no messages any more.',
    event: 'channel_disabled',
  },
  address_refused: { when: 'Your mail server refuses our email to you.', event: 'address_refused' },
  token_stale: { when: 'Your Meta connection is about to expire.', event: 'connection_expiring' },
  token_expired: {
    when: 'Your Meta connection has expired, or Meta no longer accepts it.',
    event: 'connection_expiring',
  },
  deauthorized: { when: 'Our access to your ad accounts is revoked.', event: null },
  deleted: { when: 'Your account is deleted.', event: null },
};

export const NOTIFICATION_KINDS = Object.keys(NOTIFICATIONS) as NotificationKind[];

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

/** All events that a notification of a kind can be. */
export function possibleEvents(kind: NotificationKind): ReportedEvent[] {
  const { event } = NOTIFICATIONS[kind];
  if (event === 'resumed') return [...new Set(Object.values(EVENT_OF_LIST))];
  return event === null ? [] : [event];
}

const POSSIBLE = new Set<ReportedEvent>(NOTIFICATION_KINDS.flatMap(possibleEvents));
/** Those that a notification of this version has. */
export const OFFERED_EVENTS = DESTINATION_EVENTS.filter((event) => POSSIBLE.has(event));

/**
 * The events that a notification is for destinations.
 * @param campaigns of a notification about resumes; an external change has turned SmartPause off for some
 */
export function eventsOf(
  kind: NotificationKind,
  campaigns: readonly { list: EmailList; isTurnedOff: boolean }[],
): ReportedEvent[] {
  const { event } = NOTIFICATIONS[kind];
  if (event !== 'resumed') return event === null ? [] : [event];
  const all = campaigns.map(({ list, isTurnedOff }) =>
    isTurnedOff ? 'turned_off_outside' : EVENT_OF_LIST[list],
  );
  return [...new Set(all)];
}
