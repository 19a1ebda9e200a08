import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { door } from '../fixtures/door.fixture.ts';
import type { Mail } from './mails.ts';
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

/** A mailbox for the tests of one file, empty before each. */
export function useMailbox() {
  let box: MailboxServer;
  beforeAll(async () => {
    box = await startMailbox();
  });
  beforeEach(() => door(box.url, 'POST', '/reset'));
  afterAll(() => box.close());
  return {
    url: () => box.url,
    smtpUrl: (login = '') => box.smtpUrl.replace('//', `//${login}`),
    send: (letter: Letter = {}, patienceMs = 10_000) => sendTo(box.smtpUrl, letter, patienceMs),
    messages: async () => (await door<{ messages: Mail[] }>(box.url, 'GET', '/messages')).messages,
  };
}

/** Sends by an independent client; it fails with that client's codes. */
export async function sendTo(url: string, letter: Letter = {}, patienceMs = 10_000) {
  const transport = createTransport({ url, greetingTimeout: patienceMs, socketTimeout: patienceMs });
  try {
    return await transport.sendMail(letter.raw === undefined ? { ...LETTER, ...letter } : letter);
  } finally {
    transport.close();
  }
}
