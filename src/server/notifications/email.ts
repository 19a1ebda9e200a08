import { createTransport } from 'nodemailer';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

export interface OutgoingMail {
  /** The same at every attempt, so that the recipient's server can recognise a duplicate. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  writtenAt: Instant;
}

export type SendResult =
  | { ok: true }
  | {
      ok: false;
      /** Without names or addresses. */
      error: string;
      /** The server rejects this email permanently, as far as it reports. */
      isPermanent: boolean;
    };

export interface Mailer {
  send(mail: OutgoingMail): Promise<SendResult>;
  /** Ends its connections; an email that is being sent ends first. */
  close?(): void;
}

/** Connections to the mail server, each kept for further emails: 20,000 of an outage then take minutes. */
export const MAIL_CONNECTIONS = 10;

const CONNECT_MS = seconds(10);
const SILENCE_MS = seconds(30);
/** Also limits a server that keeps the connection alive without progress. */
export const SEND_TIMEOUT_MS = seconds(60);

/**
 * Sends single emails over SMTP, with a limit on every wait. Failures are data; it never throws.
 * @param config.smtpUrl such as smtps://user:password@mail.example.com
 * @param config.from such as 'SmartPause <mail@smartpause.example>'
 */
export function createMailer(config: { smtpUrl: string; from: string }): Mailer {
  const { hostname, username } = new URL(config.smtpUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const transport = createTransport({
    url: config.smtpUrl,
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
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
    send: ({ to, writtenAt, ...mail }) =>
      transport
        .sendMail({
          ...mail,
          from: config.from,
          to: { name: '', address: to },
          date: new Date(writtenAt),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        })
        .then((): SendResult => ({ ok: true }), toFailure),
    close: () => transport.close(),
  };
}

/** The server's response text may quote addresses, so only its code is kept. */
function toFailure(error: unknown): SendResult {
  const details = (typeof error === 'object' ? error : null) as Record<string, unknown> | null;
  const code = typeof details?.['code'] === 'string' ? details['code'] : 'UNKNOWN';
  const answer = details?.['responseCode'];
  // A failed SMTP login is a configuration error: the email itself was not rejected.
  const isPermanent = details?.['permanent'] === true && code !== 'EAUTH';
  return { ok: false, error: typeof answer === 'number' ? `${code} ${answer}` : code, isPermanent };
}
