import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

export interface MailerConfig {
  /** Such as smtps://user:password@mail.example.com. */
  smtpUrl: string;
  /** Such as 'SmartPause <mail@smartpause.example>'. */
  from: string;
}

export interface OutgoingMail {
  /** The same at every try: the receiving side can tell a mail that comes twice. */
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
      /** What went wrong, without names or addresses. */
      error: string;
      /** The server refuses this mail for good, as far as it can tell. */
      isPermanent: boolean;
    };

export interface Mailer {
  send(mail: OutgoingMail): Promise<SendResult>;
}

const CONNECT_MS = seconds(10);
const SILENCE_MS = seconds(30);
/** Also for a server that keeps the line alive without ever getting on. */
const WHOLE_MS = seconds(60);
/** So many may have been given up and hang all the same: each keeps its connection until the server lets go. */
const MOST_UNFINISHED = 20;

/** Sends single mails over SMTP, with a limit on every wait. Failures are data; it never throws. */
export function createMailer(config: MailerConfig): Mailer {
  const { hostname, username } = new URL(config.smtpUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const transport = createTransport({
    url: config.smtpUrl,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A password never travels in the clear.
    ...(username !== '' && !isLocal ? { requireTLS: true } : {}),
  });
  let unfinished = 0;
  return {
    async send({ messageId, to, subject, text, html, writtenAt }) {
      if (unfinished >= MOST_UNFINISHED) return failed('TOO_MANY_UNFINISHED', false);
      unfinished += 1;
      const sending = transport
        .sendMail({
          messageId,
          from: config.from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          date: new Date(writtenAt),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
        .then(
          (): SendResult => ({ ok: true }),
          (error: unknown) => toFailure(error),
        )
        .finally(() => (unfinished -= 1));
      const giveUp = new AbortController();
      const tooLong = sleep(WHOLE_MS, failed('TOO_SLOW', false), { signal: giveUp.signal, ref: false });
      const result = await Promise.race([sending, tooLong.catch(() => failed('TOO_SLOW', false))]);
      giveUp.abort();
      return result;
    },
  };
}

function failed(error: string, isPermanent: boolean): SendResult {
  return { ok: false, error, isPermanent };
}

/** The server's own words may quote addresses, so only its code is kept. */
function toFailure(error: unknown): SendResult {
  const details = (typeof error === 'object' ? error : null) as Record<string, unknown> | null;
  const code = typeof details?.['code'] === 'string' ? details['code'] : 'UNKNOWN';
  const answer = details?.['responseCode'];
  const words = typeof answer === 'number' ? `${code} ${answer}` : code;
  // A login that fails is for whoever runs this to mend: the mail itself was not refused.
  return failed(words, details?.['permanent'] === true && code !== 'EAUTH');
}
