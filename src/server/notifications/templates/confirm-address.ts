import { LINK_VALID_DAYS } from '#core/confirmation.ts';
import type { DestinationEvent } from '#core/destination-events.ts';
import { CHOICES, DESTINATION_EVENTS } from '#core/destination-events.ts';
import type { Block, Notification } from '../render.ts';

/** A channel of a user, whose address is another person's. */
export interface AskedChannel {
  /** The user's name. */
  of: string;
  events: readonly DestinationEvent[];
}

/** @param channel null: the address is the user's own */
export function confirmSubject(channel: AskedChannel | null): string {
  return channel === null
    ? 'Confirm your email address for SmartPause'
    : `Confirm that you want SmartPause notifications from ${channel.of}`;
}

export function confirmAddress(given: {
  publicUrl: string;
  token: string;
  channel: AskedChannel | null;
}): Notification {
  const { publicUrl, token, channel } = given;
  // Behind the # it is in no log of a server and in no Referer.
  const button = { button: 'Confirm this address', address: `${publicUrl}/confirm-email#${token}` };
  const valid = `The link is valid for ${LINK_VALID_DAYS} days. It opens a page with a button, and only that button confirms.`;
  const subject = confirmSubject(channel);
  if (channel !== null) return { subject, ...ofChannel(channel, [button, valid]) };
  return {
    subject,
    why: 'You’re receiving this email because this address was entered in SmartPause.',
    blocks: [
      'SmartPause emails you here about every pause and resume of your campaigns. Confirm that these emails reach you.',
      button,
      valid,
      'If you don’t know why you got this email, ignore it.',
    ],
  };
}

/** To a person who may not know SmartPause. */
function ofChannel({ of, events }: AskedChannel, link: readonly Block[]): Omit<Notification, 'subject'> {
  const wanted = DESTINATION_EVENTS.filter((event) => events.includes(event));
  const items = wanted.map((event) => [CHOICES[event].label, CHOICES[event].covers] as const);
  return {
    why: `You’re receiving this email because ${of} entered this address in SmartPause.`,
    blocks: [
      `${of} uses SmartPause, which pauses Meta ad campaigns during outages, and wants to send notifications about these campaigns to this address.`,
      ...link,
      'To decline, ignore this email. Without your confirmation, SmartPause sends nothing else here.',
      { list: 'What you would get', items },
    ],
  };
}
