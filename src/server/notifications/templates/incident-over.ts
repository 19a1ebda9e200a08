import type { Instant } from '#core/time.ts';
import type { Message } from '../message.ts';

/** Only services that keep incidents get it. */
export function incidentOver(about: string, now: Instant): Message {
  return {
    ...{ subject: 'The incident is over', ends: about },
    blocks: ['What this incident was about has ended.'],
    ...{ events: [], outage: null, occurredAt: now },
  };
}
