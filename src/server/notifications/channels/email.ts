import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { clockTime, shortDate } from '#core/new-york.ts';
import type { Message } from '../message.ts';
import { render, shortSubject } from '../render.ts';
import type { Channel, SendResult } from './channel.ts';
import { SEND_TIMEOUT_MS } from './channel.ts';

export interface OutgoingMail {
  /** The same at every attempt, so that the recipient's server can recognise a duplicate. */
  messageId: string;
  to: string;
  /** The emails of one outage have the same, which is of no email: mail programs show them together. */
  references?: string;
  inReplyTo?: string;
  subject: string;
  text: string;
  html: string;
  writtenAt: Instant;
  withinMs?: number;
  /** Also with one click in a mail program. */
  unsubscribe?: string;
}

export interface Mailer {
  send(mail: OutgoingMail): Promise<SendResult>;
  /** Ends its connections; an email that is being sent ends first. */
  close?(): void;
  /** So many at once. */
  atOnce?: number;
}

/** Connections to the mail server, each kept for further emails: 20,000 of an outage then take minutes. */
export const MAIL_CONNECTIONS = 10;

const CONNECT_MS = seconds(10);
const SILENCE_MS = seconds(30);

export const emailTarget = z.object({ address: z.string() });

/** @param mailDomain domain of the Message-ID */
export function emailChannel(mailer: Mailer, mailDomain: string): Channel<z.infer<typeof emailTarget>> {
  return {
    ...{ target: emailTarget, atOnce: mailer.atOnce ?? MAIL_CONNECTIONS, close: () => mailer.close?.() },
    send({ address }, message, { notificationId, destinationId, ...context }) {
      const { writtenAt, withinMs, publicUrl, unsubscribe } = context;
      const id = destinationId === null ? notificationId : `${notificationId}-${destinationId}`;
      return mailer.send({
        ...{ messageId: `<smartpause.${id}.${writtenAt}@${mailDomain}>`, to: address, writtenAt },
        ...(withinMs !== undefined && { withinMs }),
        ...(unsubscribe !== undefined && { unsubscribe }),
        ...render(message, publicUrl, unsubscribe),
        ...message.former,
        ...(message.thread && inThread(message.subject, message.thread, mailDomain)),
      });
    },
  };
}

/** For programs that go by the subject alone, such as Gmail: two outages of a day are not one thread. */
function inThread(subject: string, { id, startedAt }: NonNullable<Message['thread']>, mailDomain: string) {
  const root = `<smartpause.outage.${id}@${mailDomain}>`;
  const dated = `${shortSubject(subject)} (outage of ${shortDate(startedAt)}, ${clockTime(startedAt)})`;
  return { subject: dated, references: root, inReplyTo: root };
}

/**
 * Sends single emails over SMTP, with a limit on every wait. Failures are data; it never throws.
 * @param config.smtpUrl such as smtps://user:password@mail.example.com?maxConnections=3
 * @param config.from such as 'SmartPause <mail@smartpause.example>'
 */
export function createMailer(config: { smtpUrl: string; from: string }): Mailer {
  const { hostname, username, searchParams } = new URL(config.smtpUrl);
  const atOnce = Number(searchParams.get('maxConnections') ?? MAIL_CONNECTIONS);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const transport = createTransport({
    url: config.smtpUrl,
    pool: true,
    maxConnections: atOnce,
    // For a connection that ends as it is used; other failures are the outbox's to repeat.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Never send a password without TLS.
    requireTLS: username !== '' && !isLocal,
  });
  return {
    atOnce,
    send: ({ to, writtenAt, withinMs = SEND_TIMEOUT_MS, unsubscribe, ...mail }) =>
      transport
        .sendMail({
          ...mail,
          from: config.from,
          to: { name: '', address: to },
          date: new Date(writtenAt),
          headers: {
            ...{ 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
            ...(unsubscribe !== undefined && oneClick(unsubscribe)),
          },
          // Also limits a server that keeps the connection alive without progress.
          signal: AbortSignal.timeout(withinMs),
        })
        .then((): SendResult => ({ ok: true }), toFailure),
    close: () => transport.close(),
  };
}

/** RFC 8058: a mail program posts to the address. */
function oneClick(address: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** Mailbox, domain or address; others of RFC 3463, such as 5.1.8 or 5.7.1, refuse us. */
const OF_ADDRESS = /^5\.(1\.([1-6]|10)|2\.1)$/;

/** Servers refuse a sender, too, only when it names a recipient. */
function isOfAddress(code: unknown, response: unknown): boolean {
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response)) ?? [];
  return enhanced === undefined ? code === 550 || code === 553 : OF_ADDRESS.test(enhanced);
}

/** The server's response text may quote addresses, so only its code is kept. */
function toFailure(error: unknown): SendResult {
  const details = (typeof error === 'object' ? error : null) as Record<string, unknown> | null;
  const code = typeof details?.['code'] === 'string' ? details['code'] : 'UNKNOWN';
  const answer = details?.['responseCode'];
  // A failed SMTP login is a configuration error: the email itself was not rejected.
  const isPermanent = details?.['permanent'] === true && code !== 'EAUTH';
  const isRecipientRefused =
    isPermanent && details['command'] === 'RCPT TO' && isOfAddress(answer, details['response']);
  return {
    ...{ ok: false, error: typeof answer === 'number' ? `${code} ${answer}` : code, isPermanent },
    ...{ isRecipientRefused, ...(isRecipientRefused && { copy: 'Its mail server refuses this address.' }) },
  };
}
