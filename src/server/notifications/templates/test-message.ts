import type { Instant } from '#core/time.ts';
import type { Message } from '../message.ts';

/** What 'Send test' sends: no event, so that it opens no incident of an outage. */
export function testMessage(publicUrl: string, now: Instant): Message {
  return {
    subject: 'Test: SmartPause can reach you here',
    blocks: [
      'You asked for this test in Settings. Nothing has happened to your campaigns.',
      { button: 'Open SmartPause', address: publicUrl },
    ],
    ...{ events: [], outage: null, occurredAt: now },
  };
}
