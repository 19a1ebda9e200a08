import type { DestinationKind } from '#core/destinations.ts';
import type { Channel } from './channel.ts';
import type { Mailer } from './email.ts';
import { emailChannel } from './email.ts';

/** What this version can send: deliveries on other channels wait for a newer one. */
export type Channels = Partial<Record<DestinationKind, Channel>> & { email: Channel };

/** @param given.mailDomain domain of the Message-ID */
export function createChannels(given: { mailer: Mailer; mailDomain: string }): Channels {
  return {
    email: emailChannel(given.mailer, given.mailDomain),
  };
}
