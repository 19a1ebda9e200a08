import { fullTimeWithUtc } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import type { Notification } from '../render.ts';
import { shortName } from '../render.ts';

/** To the confirmed address. @param given.next the one that is to replace it */
export function addressChanged(given: {
  publicUrl: string;
  name: string;
  next: string;
  now: Instant;
}): Notification {
  const { publicUrl, name, next, now } = given;
  return {
    subject: 'Your SmartPause email address is being changed',
    why: 'You’re receiving this email because you confirmed this address for SmartPause.',
    blocks: [
      `On ${fullTimeWithUtc(now)}, ${next} was entered in Settings as the new address of ${shortName(name)}.`,
      'You get every email at both addresses until the new one is confirmed. Then our emails stop here.',
      'If this wasn’t you, press ‘Cancel the change’ in Settings > Notifications. Then press ‘Log out everywhere else’ in Settings > Account.',
      { button: 'Open Settings', address: `${publicUrl}/settings/notifications` },
    ],
  };
}
