import * as z from 'zod/mini';
import { LEVELS } from '#core/smartpause/level.ts';

/** The type of a webhook by the event that it reports. 'test': the user asked for one. */
export const WEBHOOK_TYPES = {
  paused: 'campaigns.paused',
  resumed: 'campaigns.resumed',
  not_resumed: 'campaigns.not_resumed',
  turned_off_outside: 'campaigns.turned_off_outside',
  reminder: 'campaigns.still_paused',
  early_warning: 'status.early_warning',
  connection_expiring: 'connection.expiring',
  monthly_summary: 'summary.monthly',
  address_refused: 'email.refused',
  channel_disabled: 'channel.turned_off',
  test: 'test',
} as const;

const type = z.enum(Object.values(WEBHOOK_TYPES));
const text = z.string();

/** The body of a webhook. A later version only adds, or has another number. */
export const webhookPayload = z.object({
  type: type.check(z.describe('The first of `data.events`.')),
  version: z.literal(1),
  timestamp: z.iso.datetime().check(z.describe('When it happened.')),
  data: z.object({
    id: text.check(z.describe('Of the notification: the same for each of your endpoints.')),
    events: z.array(type).check(z.describe('All that it reports.')),
    outageId: z.nullable(text).check(z.describe('Null: not about an outage.')),
    title: text,
    url: text.check(z.describe('The page that shows all of it.')),
    status: z
      .nullable(z.object({ level: z.enum(LEVELS), since: z.nullable(text), text }))
      .check(z.describe('The disruption by Meta’s status page. Null: not said.')),
    paragraphs: z.array(text),
    facts: z.array(z.object({ label: text, value: text })),
    lists: z.array(
      z.object({
        title: text,
        note: z.nullable(text).check(z.describe('What all items share.')),
        items: z.array(z.object({ name: text, detail: z.nullable(text) })),
        omitted: z.number().check(z.describe('How many more items there are.')),
      }),
    ),
    links: z.array(z.object({ label: text, url: text })),
    isCut: z.boolean().check(z.describe('Something is left out, since a webhook has less than 20 kB.')),
  }),
});
export type WebhookPayload = z.output<typeof webhookPayload>;

/** As JSON Schema, for the API document. */
export function webhookSchema() {
  return z.toJSONSchema(webhookPayload);
}
