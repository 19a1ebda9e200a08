import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Mailbox } from '../../scripts/outside/mailbox.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { startMailbox } from './server.ts';

let server: Awaited<ReturnType<typeof startMailbox>>;
let box: Mailbox;
beforeAll(async () => {
  server = await startMailbox();
  box = new Mailbox(server.url);
});
beforeEach(() => box.post('/reset'));
afterAll(() => server.close());

/** Sends with an independent SMTP client. */
async function send(letter: object = {}): Promise<unknown> {
  const transport = createTransport({ url: server.smtpUrl.replace('//', '//robot:pass-word-42@') });
  const usual = { from: 'SmartPause <robot@example.test>', to: 'ann@example.test', subject: 'Paused' };
  try {
    return await transport.sendMail({ ...usual, text: 'Hello', ...letter });
  } finally {
    transport.close();
  }
}

async function page(path = ''): Promise<string> {
  return (await fetch(`${server.url}/_sim${path}`)).text();
}

test('a message arrives with its envelope, headers and bodies, and without the password', async () => {
  await send({
    subject: 'Pausiert: Überblick 🛑',
    bcc: 'bo@example.test',
    html: '<p>Grüße</p>',
    messageId: '<1@x>',
  });
  const mails = await box.messages();
  expect(mails).toMatchObject([
    {
      n: 1,
      from: 'robot@example.test',
      author: 'SmartPause <robot@example.test>',
      to: ['ann@example.test', 'bo@example.test'],
      subject: 'Pausiert: Überblick 🛑',
      messageId: '<1@x>',
      text: 'Hello\n',
      html: '<p>Grüße</p>\n',
    },
  ]);
  expect(JSON.stringify(mails)).not.toContain('pass-word-42');
  await box.clear();
  await send();
  expect((await box.messages()).map(({ n }) => n)).toEqual([2]);
});

describe('a fault', () => {
  test('refuses a recipient, a message or the connection, as often as ordered', async () => {
    await box.fault({ kind: 'refuse', stage: 'rcpt', code: 550, path: '^bo@', times: 0 });
    await expect(send({ to: 'bo@example.test' })).rejects.toMatchObject({ responseCode: 550 });
    await box.fault({ kind: 'refuse', message: 'Later' });
    await expect(send()).rejects.toMatchObject({
      responseCode: 451,
      message: expect.stringContaining('Later') as string,
    });
    await box.fault({ kind: 'refuse_connection' });
    await expect(send()).rejects.toThrow();
    expect(await box.messages()).toEqual([]);
    await send();
    expect(await box.messages()).toHaveLength(1);
  });

  test('keeps a message without confirming it, or confirms it only when released', async () => {
    await box.fault({ kind: 'drop_after' });
    await expect(send()).rejects.toThrow();
    expect(await box.messages()).toHaveLength(1);
    const stall = await box.fault({ kind: 'stall' });
    const sent = send();
    await waitFor('the session to be parked', async () => (await box.parked(stall)) === 1);
    expect(await box.messages()).toHaveLength(1);
    await box.ask('DELETE', '/faults');
    await sent;
    expect(await box.messages()).toHaveLength(2);
  });
});

test('the emails are shown in a browser, where hostile HTML is sandboxed', async () => {
  const attack = `"'></iframe></pre><script>alert(1)</script>`;
  await send({ subject: attack, text: attack, html: attack });
  expect(await page()).toContain('href="/_sim/mail/1"');
  for (const path of ['', '/mail/1', '/mail/1/text']) {
    const text = await page(path);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script&gt;alert(1)');
  }
  expect(await page('/mail/1')).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
  expect(await page('/mail/2')).toContain('Email not found');
});
