import type { UserStatus } from '#contract/shapes.ts';
import { LINK_VALID_DAYS, LINK_VALID_MS } from '#core/confirmation.ts';
import type { LinkState, Unreached } from '#core/confirmation.ts';
import type { Instant } from '#core/time.ts';

/** Why emails may not reach the user, and what to do. Null: nothing is known to be wrong. */
export function unreachedCopy(
  { email, unreached }: Pick<UserStatus, 'email' | 'unreached'>,
  now: Instant,
): { title: string; text: string; button: string } | null {
  if (unreached === undefined || email === null) return null;
  const { why, at, former } = unreached;
  if (former !== undefined) return changingCopy(email, { ...unreached, former }, now);
  if (why === 'refused')
    return {
      title: refusedTitle(email),
      text: 'Check the address. We go on sending every email to it.',
      button: 'Send again',
    };
  const title = 'We can’t reach you yet';
  if (at === null) return { title, text: `Confirm ${email} with a link, ${VALID}.`, button: 'Send the link' };
  const text = isOver(at, now)
    ? `The link that we emailed to ${email} has expired.`
    : `Confirm ${email}: open the link in our email, ${VALID}.`;
  return { title, text, button: 'Send again' };
}

const VALID = `valid for ${LINK_VALID_DAYS} days`;
const refusedTitle = (email: string) => `Your mail server refused our email to ${email}`;
const isOver = (at: string, now: Instant) => Date.parse(at) <= now - LINK_VALID_MS;

/** Of an address that is to replace a confirmed one. */
function changingCopy(
  email: string,
  { why, at, former }: { why: Unreached['why']; at: string | null; former: string },
  now: Instant,
) {
  const isRefused = why === 'refused';
  const sent = (given: string) =>
    isOver(given, now) ? 'The link in our email has expired.' : `Open the link in our email, ${VALID}.`;
  const link = at === null ? 'No link was sent yet.' : sent(at);
  return {
    title: isRefused ? refusedTitle(email) : `Waiting for confirmation: ${email}`,
    text: `${isRefused ? 'Check the address.' : link} Emails still go to ${former}, too.`,
    button: at === null ? 'Send the link' : 'Send again',
  };
}

/** What the page of a link says; an open one has a button besides. @param channel of whom; absent: the user's own address */
export function linkCopy(state: LinkState, channel?: { of: string }): { title: string; text: string } {
  return channel === undefined || state === 'unknown' ? OWN_LINK[state] : channelLink(channel.of)[state];
}

export const DECLINE =
  'To decline, close this page. Without your confirmation, SmartPause sends nothing else here.';

const EXPIRED = { title: 'This link has expired' };
const CHANGED = { title: 'This link is for another address' };

const OWN_LINK: Record<LinkState, { title: string; text: string }> = {
  open: {
    title: 'Confirm your email address',
    text: 'Press the button if this is your address. SmartPause then knows that its emails reach you.',
  },
  used: {
    title: 'Your email address is confirmed',
    text: 'SmartPause’s emails reach you. There’s nothing else to do.',
  },
  expired: {
    ...EXPIRED,
    text: `A link is valid for ${LINK_VALID_DAYS} days. Press ‘Send again’ in Settings and open the newest email.`,
  },
  changed: {
    ...CHANGED,
    text: 'The address was changed since. Open the link in the email to the new address.',
  },
  unknown: {
    title: 'This link isn’t valid',
    text: 'Open the whole link from the newest email, or have another one sent.',
  },
};

/** For a person who may not be a user. */
function channelLink(of: string): Record<Exclude<LinkState, 'unknown'>, { title: string; text: string }> {
  return {
    open: {
      title: 'Confirm SmartPause notifications',
      text: `${of} wants to send notifications about their Meta ad campaigns to this address.`,
    },
    used: {
      title: 'Notifications are confirmed',
      text: `You get SmartPause notifications from ${of} at this address. To stop them, ask ${of}.`,
    },
    expired: {
      ...EXPIRED,
      text: `A link is valid for ${LINK_VALID_DAYS} days. If you want the notifications, ask ${of} for another link.`,
    },
    changed: { ...CHANGED, text: `${of} has entered another address since. Nothing is sent to this one.` },
  };
}
