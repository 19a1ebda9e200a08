import type { DestinationEvent, ReportedEvent } from './destination-events.ts';
import { FOR_ALL, NOTIFICATION_KINDS, OFFERED_EVENTS, possibleEvents } from './destination-events.ts';
import type { AskedKind, NotificationKind } from './notifications.ts';
import type { AccessState } from './platform-access.ts';
import type { Instant } from './time.ts';
import { hours } from './time.ts';

/** Where notifications go. A user's own email address is no destination: it gets all of them. */
export const DESTINATION_KINDS = ['slack', 'teams', 'discord', 'pagerduty', 'webhook', 'email'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export const CHANNEL_NAMES: Record<DestinationKind, string> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  pagerduty: 'PagerDuty',
  webhook: 'Webhook',
  email: 'Email',
};

export const DESTINATION_STATES = ['on', 'off', 'disabled'] as const;
export type DestinationState = (typeof DESTINATION_STATES)[number];

/** Of one user. */
export const DESTINATIONS_MAX = 10;

/** An incident is for what needs a human at once, and its end. */
const OF_INCIDENTS: ReadonlySet<DestinationEvent> = new Set(['paused', 'resumed', 'not_resumed']);

/** What a new destination gets unless its user chooses otherwise. */
export function usualEvents(kind: DestinationKind): DestinationEvent[] {
  return OFFERED_EVENTS.filter((event) => kind !== INCIDENT_KIND || OF_INCIDENTS.has(event));
}

const OF_OUTAGE: ReadonlySet<ReportedEvent> = new Set<ReportedEvent>([
  ...(['early_warning', 'paused', 'resumed', 'not_resumed', 'turned_off_outside', 'reminder'] as const),
]);

/** Whether a notification belongs to an outage, if there was one. */
export function isOfOutage(events: readonly ReportedEvent[]): boolean {
  return events.some((event) => OF_OUTAGE.has(event));
}

/** An address of another person gets nothing before they have confirmed it. The others are URLs that only their owners know. */
const NEEDS_VERIFICATION: ReadonlySet<DestinationKind> = new Set(['email']);

/** Whether anything may be sent there. */
export function isConfirmed(destination: { kind: DestinationKind; verifiedAt: Instant | null }): boolean {
  return destination.verifiedAt !== null || !NEEDS_VERIFICATION.has(destination.kind);
}

/** What a notification says about its outage. */
interface OfOutage {
  events: readonly ReportedEvent[];
  outage: string | null;
  isOver?: boolean;
}

const OF_END: ReadonlySet<ReportedEvent> = new Set<ReportedEvent>(['resumed', 'turned_off_outside']);

/** Whether it ends the incident of its outage: no campaign stays paused, and none was left to the user to resume. */
export function endsIncident({ events, outage, isOver = events.includes('resumed') }: OfOutage): boolean {
  return isOver && isOfPauses({ events, outage }) && events.every((event) => OF_END.has(event));
}

/** Those of the user's own word, or of an early warning, are of no outage. */
function isOfPauses({ events, outage }: OfOutage): boolean {
  return outage !== null || (isOfOutage(events) && !events.includes('early_warning'));
}

/** The service that keeps what it is sent open until its end is said. */
export const INCIDENT_KIND: DestinationKind & 'pagerduty' = 'pagerduty';

/** Of a destination that ends nothing there any more. */
export const INCIDENT_STAYS = 'An incident stays open at PagerDuty: resolve it there';

/** What is one incident there: an outage, all pauses of no outage, or all notifications of an event. */
function incidentOf({ events, outage }: OfOutage): string | null {
  if (outage !== null) return `outage-${outage}`;
  return isOfPauses({ events, outage }) ? 'paused' : (events[0] ?? null);
}

/** What a message says of an incident there. Null: nothing. @param ends only that one ends */
export function incidentSaid({ ends, ...said }: OfOutage & { ends?: string }) {
  const about = ends ?? incidentOf(said);
  return about === null ? null : { about, isEnd: ends !== undefined || endsIncident(said) };
}

/** What holds no more is not said again: nothing would end an incident of the past, and its end would hide an open one. */
export function maySayAgain({ isEnd }: { isEnd: boolean }, isOpen: boolean): boolean {
  return isEnd !== isOpen;
}

/** What is known of a user with an open incident. */
export interface IncidentState {
  /** SmartPause holds a campaign of theirs, or could not resume one that is still paused. */
  isPaused: boolean;
  isAddressRefused: boolean;
  /** SmartPause has turned off a destination of theirs. */
  isChannelDisabled: boolean;
  access: AccessState;
  /** Meta refuses changes in an ad account. */
  isBlocked: boolean;
  /** An early warning acts. */
  isWarned: boolean;
}

/** @param about of `incidentOf` */
export function isIncidentOver(about: string, now: IncidentState): boolean {
  if (about === 'address_refused') return !now.isAddressRefused;
  if (about === 'channel_disabled') return !now.isChannelDisabled;
  if (about === 'early_warning') return !now.isWarned;
  if (about === 'connection_expiring') return now.access === 'ok' && !now.isBlocked;
  return !now.isPaused;
}

/** Neither a choice nor a quiet time leaves these out. */
const isForAll = (event: ReportedEvent): boolean => FOR_ALL.some((one) => one === event);

/** What still goes to a destination whose quiet time begins. The end of an incident is written again. */
export const SPARED_BY_QUIET: readonly (NotificationKind | AskedKind)[] = [
  'confirm_address',
  ...NOTIFICATION_KINDS.filter((kind) => possibleEvents(kind).some(isForAll)),
];

/** Whether a destination gets a notification. */
export function isWanted(
  destination: {
    kind: DestinationKind;
    events: readonly DestinationEvent[];
    state: DestinationState;
    verifiedAt: Instant | null;
    quietUntil: Instant | null;
  },
  { events }: Pick<OfOutage, 'events'>,
  now: Instant,
): boolean {
  const { state, quietUntil } = destination;
  if (state !== 'on' || !isConfirmed(destination)) return false;
  if (events.some(isForAll)) return true;
  if (quietUntil !== null && now < quietUntil) return false;
  return destination.events.some((event) => events.includes(event));
}

/** Secrets that sign webhooks, the newest first. */
export interface Secrets {
  secrets: readonly string[];
  /** All but the first sign until then; null: there is one. */
  olderUntil: Instant | null;
}

/** After a rotation the receiver has this long to learn the new secret. */
const ROTATION_MS = hours(24);
const SIGNATURES_MAX = 3;

export function signingSecrets({ secrets, olderUntil }: Secrets, now: Instant): readonly string[] {
  return olderUntil !== null && now < olderUntil ? secrets : secrets.slice(0, 1);
}

export function withNewSecret(before: Secrets, secret: string, now: Instant) {
  const secrets = [secret, ...signingSecrets(before, now)].slice(0, SIGNATURES_MAX);
  return { secrets, olderUntil: now + ROTATION_MS };
}
