import type { DestinationKind } from '#core/destinations.ts';
import type { Channel } from './channel.ts';
import type { Mailer } from './email.ts';
import { emailChannel } from './email.ts';
import { createHttpChannels } from './http-channels.ts';

/** What this version can send: deliveries on other channels wait for a newer one. */
export type Channels = Partial<Record<DestinationKind, Channel>> & { email: Channel };

/** To be closed after the last delivery. */
export function connectionsOf(channels: Channels) {
  return {
    close() {
      for (const channel of Object.values(channels)) channel.close?.();
      return Promise.resolve();
    },
  };
}

/**
 * @param given.mailDomain domain of the Message-ID
 * @param given.allowed the operator's exceptions from what may be called, as 'host:port'
 */
export function createChannels(given: {
  mailer: Mailer;
  mailDomain: string;
  allowed?: readonly string[];
}): Channels {
  const { mailer, mailDomain, allowed = [] } = given;
  return {
    email: emailChannel(mailer, mailDomain),
    ...createHttpChannels({ allowed }),
  };
}
