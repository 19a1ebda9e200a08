import { LINK_VALID_DAYS } from '#core/confirmation.ts';
import type { Notification } from '../render.ts';

export const CONFIRM_SUBJECT = 'Confirm your email address for SmartPause';

/** @param given.isOwn the user's own address, and not one of their destinations */
export function confirmAddress(given: { publicUrl: string; token: string; isOwn: boolean }): Notification {
  const { publicUrl, token, isOwn } = given;
  const emails = isOwn
    ? 'SmartPause emails you here about every pause and resume of your campaigns.'
    : 'A SmartPause user wants to send notifications about their Meta ad campaigns to this address.';
  return {
    subject: CONFIRM_SUBJECT,
    why: 'You’re receiving this email because this address was entered in SmartPause.',
    blocks: [
      isOwn
        ? `${emails} Confirm that these emails reach you.`
        : `${emails} Confirm that you want them. Until then, SmartPause sends nothing else here.`,
      // Behind the # it is in no log of a server and in no Referer.
      { button: 'Confirm this address', address: `${publicUrl}/confirm-email#${token}` },
      `The link is valid for ${LINK_VALID_DAYS} days. It opens a page with a button, and only that button confirms.`,
      'If you don’t know why you got this email, ignore it.',
    ],
  };
}
