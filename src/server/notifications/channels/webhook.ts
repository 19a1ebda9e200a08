import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { WebhookPayload } from '#contract/webhook-payload.ts';
import { WEBHOOK_TYPES } from '#contract/webhook-payload.ts';
import { signingSecrets } from '#core/destinations.ts';
import type { Message } from '../message.ts';
import { answersOf } from './answers.ts';
import type { Content } from './content.ts';
import { bytesOf, fitting } from './content.ts';
import type { HttpChannel } from './http-channel.ts';
import { postJson } from './http-channel.ts';
import { REFUSALS, checkAddress } from './outside-address.ts';

/** Of Standard Webhooks: 20 kB. */
const MAX_BYTES = 20_000;

/** The user's own endpoint, by Standard Webhooks. */
export const webhook: HttpChannel = {
  parse(text, allowed) {
    const checked = checkAddress(text.trim(), allowed);
    return checked.ok
      ? { ok: true, address: checked.url.href }
      : { ok: false, copy: REFUSALS[checked.refusal] };
  },
  request({ address, ...secrets }, message, { id: delivery, notificationId, writtenAt, now, publicUrl }) {
    // A receiver that knows two installations, or one before and after a restore, sees no number twice.
    const id = `msg_${delivery}_${writtenAt}`;
    const toBody = (content: Content): string => JSON.stringify(payloadOf(message, notificationId, content));
    const given = { message, publicUrl, say: (text: string) => text };
    const body = fitting(given, toBody, (text) => bytesOf(text) < MAX_BYTES);
    const at = new Date(now);
    const signatures = signingSecrets(secrets, now).map((secret) => new Webhook(secret).sign(id, at, body));
    return postJson(address, body, {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1000)),
      'webhook-signature': signatures.join(' '),
    });
  },
  answer: answersOf({ name: 'Your endpoint', isGone: ({ status }) => status === 410 }),
};

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function payloadOf(message: Message, id: string, content: Content): WebhookPayload {
  const { title, page, parts, buttons, isCut } = content;
  const types = Object.entries(WEBHOOK_TYPES).filter(([event]) =>
    message.events.some((one) => one === event),
  );
  const events = types.map(([, type]) => type);
  const status = parts.find((part) => 'status' in part);
  return {
    type: events[0] ?? WEBHOOK_TYPES.test,
    version: 1,
    timestamp: new Date(message.occurredAt).toISOString(),
    data: {
      ...{ id, events, outageId: message.outage, title, url: page },
      status: status === undefined ? null : { level: status.status, since: status.since, text: status.text },
      paragraphs: parts.flatMap((part) => ('paragraph' in part ? [part.paragraph] : [])),
      facts: parts.flatMap((part) => ('facts' in part ? part.facts : [])),
      lists: parts.flatMap((part) => {
        if (!('list' in part)) return [];
        const { list, ...rest } = part;
        return [{ title: list, ...rest }];
      }),
      links: buttons.map(({ label, address }) => ({ label, url: address })),
      isCut,
    },
  };
}
