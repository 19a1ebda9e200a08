import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Mailbox } from '../../scripts/outside/mailbox.ts';
import type { MailboxServer } from './server.ts';
import { startMailbox } from './server.ts';

export interface Letter {
  from?: string | { name: string; address: string };
  to?: string | string[];
  bcc?: string;
  subject?: string;
  text?: string;
  html?: string;
  messageId?: string;
  raw?: string;
  envelope?: { from: string; to: string[] };
}

const LETTER = {
  from: 'SmartPause <robot@example.test>',
  to: 'ann@example.test',
  subject: 'Paused',
  text: 'Hello',
};

/** A mailbox for the tests of one file, emptied before each test. */
export function useMailbox() {
  let server: MailboxServer;
  let box: Mailbox;
  beforeAll(async () => {
    server = await startMailbox();
    box = new Mailbox(server.url);
  });
  beforeEach(() => box.post('/reset'));
  afterAll(() => server.close());
  return {
    get control() {
      return box;
    },
    smtpUrl: (login = '') => server.smtpUrl.replace('//', `//${login}`),
    send: (letter: Letter = {}, timeoutMs = 10_000) => sendTo(server.smtpUrl, letter, timeoutMs),
    messages: () => box.messages(),
  };
}

/** Sends with an independent SMTP client; rejects with that client's error codes. */
export async function sendTo(url: string, letter: Letter = {}, timeoutMs = 10_000) {
  const transport = createTransport({ url, greetingTimeout: timeoutMs, socketTimeout: timeoutMs });
  try {
    return await transport.sendMail(letter.raw === undefined ? { ...LETTER, ...letter } : letter);
  } finally {
    transport.close();
  }
}
