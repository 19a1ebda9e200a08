import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

async function send(letter: object = {}): Promise<unknown> {
  const transport = createTransport({ url: server.smtpUrl.replace('//', '//robot:pass-word-42@') });
  const usual = { from: 'SmartPause <robot@example.test>', to: 'ann@example.test', subject: 'Paused' };
  return transport.sendMail({ ...usual, text: 'Hello', ...letter }).finally(() => transport.close());
}

test('a message arrives with its envelope, headers and bodies, and without the password', async () => {
  const subject = 'Pausiert: Überblick 🛑';
  await send({ subject, bcc: 'bo@example.test', html: '<p>Grüße</p>', messageId: '<1@x>' });
  const mails = await box.messages();
  expect(mails).toMatchObject([
    {
      from: 'robot@example.test',
      to: ['ann@example.test', 'bo@example.test'],
      subject,
      messageId: '<1@x>',
      text: 'Hello\n',
      html: '<p>Grüße</p>\n',
    },
  ]);
  expect(JSON.stringify(mails)).not.toContain('pass-word-42');
});

test('a fault refuses a recipient, a message or the connection, as often as ordered', async () => {
  await box.fault({ kind: 'refuse', stage: 'rcpt', code: 550, path: '^bo@', times: 0 });
  await expect(send({ to: 'bo@example.test' })).rejects.toMatchObject({ responseCode: 550 });
  await box.fault({ kind: 'refuse' });
  await expect(send()).rejects.toMatchObject({ responseCode: 451 });
  await box.fault({ kind: 'refuse_connection' });
  await expect(send()).rejects.toThrow();
  expect(await box.messages()).toEqual([]);
  await send();
  expect(await box.messages()).toHaveLength(1);
});

test('a fault keeps a message without confirming it, or parks it until it is released', async () => {
  await box.fault({ kind: 'drop_after' });
  await expect(send()).rejects.toThrow();
  expect(await box.messages()).toHaveLength(1);
  const stall = await box.fault({ kind: 'stall' });
  const sent = send();
  await waitFor('the session to be parked', async () => (await box.parked(stall)) === 1);
  await box.ask('DELETE', '/faults');
  await sent;
  expect(await box.messages()).toHaveLength(2);
});

test('the emails are shown in a browser, where hostile HTML is sandboxed', async () => {
  const attack = `"'></iframe></pre><script>alert(1)</script>`;
  await send({ subject: attack, text: attack, html: attack });
  const [mail] = await box.messages();
  for (const path of ['/_sim', `/mail/${mail?.n ?? ''}`]) {
    const page = await (await fetch(server.url + path)).text();
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;alert(1)');
  }
});
