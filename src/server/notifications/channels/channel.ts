import type { z } from 'zod';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { Message } from '../message.ts';

export type SendResult =
  | { ok: true }
  | {
      ok: false;
      /** For the log: without names, addresses and secrets. */
      error: string;
      /** For the user; absent: no more is known than that it failed. */
      copy?: string;
      /** The receiver refuses this message, as far as it reports: the next attempt would fail, too. */
      isPermanent: boolean;
      /** The receiver asks to wait this long. */
      retryAfterMs?: number;
      /** Of an email: it is the recipient that the mail server refuses, and not this text. */
      isRecipientRefused?: boolean;
      /** The receiver says that nothing must be sent there any more. */
      isGone?: boolean;
    };

/** For the user, where no more is known. */
export const FAILED = 'It couldn’t be delivered.';

export interface Context {
  /** The same at every attempt, and of no other delivery. */
  id: string;
  notificationId: string;
  /** Null: the user's own email address. */
  destinationId: string | null;
  writtenAt: Instant;
  /** Of this attempt. */
  now: Instant;
  /** It ends by then; by default within the time of each attempt. */
  withinMs?: number;
  publicUrl: string;
  /** The address at which its recipient turns such emails off; absent: they cannot. */
  unsubscribe?: string;
}

/** Each attempt ends within this time. */
export const SEND_TIMEOUT_MS = seconds(60);
/** A process that died in the middle delays a delivery by this long. */
export const LEASE_MS = SEND_TIMEOUT_MS + minutes(1);

/** Of a channel, in all processes. */
export const PLACES_OF_USER = 5;

/** A way to send notifications. Failures are data: it does not throw. */
export interface Channel<Target = unknown> {
  /** What is stored of a destination, encrypted. */
  target: z.ZodType<Target>;
  /** Deliveries at a time in one process. A slow one delays none of another channel. */
  atOnce: number;
  /** Renders the message and sends it. */
  send(target: Target, message: Message, context: Context): Promise<SendResult>;
  /** Ends its connections, after all deliveries. */
  close?(): void;
}
