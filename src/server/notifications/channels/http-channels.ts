import type { DestinationKind } from '#core/destinations.ts';
import { discord } from './discord.ts';
import type { HttpChannel, ParsedAddress } from './http-channel.ts';
import { createHttpChannel } from './http-channel.ts';
import { createOutsideHttp } from './outside-http.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { webhook } from './webhook.ts';

export type HttpChannelKind = Exclude<DestinationKind, 'email'>;

/** All channels that are one POST. A further one is its file, a name here, and its kind. */
export const HTTP_CHANNELS = { slack, teams, discord, pagerduty, webhook } as const satisfies Record<
  HttpChannelKind,
  HttpChannel
>;

/** What a user enters as the address of a channel, as it is stored. */
export function parseTarget(kind: HttpChannelKind, text: string, allowed: readonly string[]): ParsedAddress {
  return HTTP_CHANNELS[kind].parse(text, allowed);
}

/**
 * With a client for each, so that one that ends cuts none of another's deliveries.
 * @param given.allowed the operator's exceptions, as 'host:port'
 */
export function createHttpChannels(given: { allowed: readonly string[] }) {
  const created = Object.entries(HTTP_CHANNELS).map(([kind, one]) => [
    kind,
    createHttpChannel(one, { ...given, outside: createOutsideHttp(given) }),
  ]);
  return Object.fromEntries(created) as Record<HttpChannelKind, ReturnType<typeof createHttpChannel>>;
}
