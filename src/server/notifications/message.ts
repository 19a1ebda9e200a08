import { z } from 'zod';
import { LEVELS } from '#core/smartpause/level.ts';
import type { ReportedEvent } from '#core/destination-events.ts';
import type { Instant } from '#core/time.ts';
import type { Block, Notification } from './render.ts';

/** A notification as it is stored: all that a channel renders, the same at each attempt. */
export interface Message extends Notification {
  blocks: readonly Block[];
  /** None: it is only an email. */
  events: readonly ReportedEvent[];
  /** The first outage that it is about: the one in which its campaigns were paused. */
  outage: string | null;
  /** Of the user's emails about that outage. */
  thread?: { id: string; startedAt: Instant };
  /** No campaign of the user stays paused by SmartPause. */
  isOver?: boolean;
  /** When the last of its events happened. */
  occurredAt: Instant;
  /** The email as the former version wrote it: former-emails.ts. */
  former?: { text: string; html: string };
}

const text = z.string();
const block = z.union([
  text,
  z.object({ sentence: text, link: text, address: text }),
  z.object({ status: z.enum(LEVELS), text, since: text.nullable().exactOptional() }),
  z.object({ facts: z.array(z.tuple([text, text])) }),
  z.object({
    ...{ list: text, note: text.exactOptional(), omitted: z.number().exactOptional() },
    items: z.array(z.union([z.tuple([text, text]), z.tuple([text])])),
  }),
  z.object({ button: text, address: text }),
]);

/** Another version may have stored parts that this one does not know. */
export const storedMessage: z.ZodType<Message> = z.object({
  ...{ subject: text, why: text.exactOptional(), page: text.exactOptional(), blocks: z.array(block) },
  ...{ events: z.array(z.custom<ReportedEvent>()), outage: text.nullable(), occurredAt: z.number() },
  isOver: z.boolean().exactOptional(),
  ends: text.exactOptional(),
  thread: z.object({ id: text, startedAt: z.number() }).exactOptional(),
  former: z.object({ text, html: text }).exactOptional(),
});
