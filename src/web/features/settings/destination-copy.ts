import type { Destination } from '#contract/destination-api.ts';
import type { DestinationKind } from '#core/destinations.ts';
import { CHOICES, OFFERED_EVENTS } from '#core/destination-events.ts';
import { DELIVERIES_LISTED, DELIVERY_DAYS } from '#core/periods.ts';

interface Channel {
  /** Where users find what they enter. */
  help: string;
  label: string;
  placeholder: string;
}

export const CHANNELS: Record<DestinationKind, Channel> = {
  slack: {
    help: 'In your Slack app’s settings, open Incoming Webhooks, add one to a channel, and copy its URL.',
    label: 'Webhook URL',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  teams: {
    help: 'In the menu of a Teams channel, open Workflows, choose the template for webhook alerts, and copy its URL.',
    label: 'Workflow URL',
    placeholder: 'https://….logic.azure.com/workflows/…',
  },
  discord: {
    help: 'In the settings of a Discord channel, open Integrations, then Webhooks, and copy the webhook’s URL.',
    label: 'Webhook URL',
    placeholder: 'https://discord.com/api/webhooks/…',
  },
  pagerduty: {
    help: 'In a PagerDuty service, open Integrations, add Events API v2, and copy the integration key.',
    label: 'Integration key',
    placeholder: '32 letters and digits',
  },
  webhook: {
    help: 'Enter a public HTTPS address of yours. Requests are signed by Standard Webhooks.',
    label: 'Endpoint URL',
    placeholder: 'https://example.com/hooks/smartpause',
  },
  email: {
    help: 'We email a link there. Its owner opens it and confirms; until then nothing else is sent.',
    label: 'Email address',
    placeholder: 'team@example.com',
  },
};

/** Beside so many deliveries. Null: they are all. */
export function listedCopy(count: number): string | null {
  if (count === 0) return `Nothing was sent in the last ${DELIVERY_DAYS} days.`;
  return count < DELIVERIES_LISTED ? null : `These are the newest ${DELIVERIES_LISTED} deliveries.`;
}

/** 'All events', or their names. */
export function eventsCopy(events: readonly string[]): string {
  if (OFFERED_EVENTS.every((event) => events.includes(event))) return 'All events';
  const labels = OFFERED_EVENTS.filter((event) => events.includes(event)).map((one) => CHOICES[one].label);
  return labels.join(' · ');
}

/** The state in a word, and whether it needs the user. */
export function stateCopy(
  { state, isConfirmed, quietUntil, last, hasDelivered }: Destination,
  now: number,
): [word: string, isBad: boolean] {
  if (state === 'off') return ['Off', false];
  if (state === 'disabled') return ['Turned off', true];
  if (!isConfirmed) return ['Not confirmed', true];
  const isFailing = last !== null && last.failure !== null;
  if (isFailing && !hasDelivered) return ['Never delivered', true];
  if (isQuiet(quietUntil, now)) return ['Quiet', false];
  return isFailing ? ['Failing', true] : ['On', false];
}

export function isQuiet(quietUntil: string | null, now: number): quietUntil is string {
  return quietUntil !== null && Date.parse(quietUntil) > now;
}

/** The next 8 AM of the viewer's clock. */
export function nextMorning(now: number): Date {
  const morning = new Date(now);
  morning.setHours(8, 0, 0, 0);
  if (morning.getTime() <= now) morning.setDate(morning.getDate() + 1);
  return morning;
}
