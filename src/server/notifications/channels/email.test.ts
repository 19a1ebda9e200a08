import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { MAIL_CONNECTIONS, createMailer, emailChannel } from './email.ts';

const MAIL = { messageId: '<a@b>', to: 'maya@example.com', subject: 's', text: 't', html: 'h', writtenAt: 0 };

test.each([
  ['', MAIL_CONNECTIONS],
  ['?maxConnections=3', 3],
])('the address of the mail server may lower the connections to it: %j', async (query, most) => {
  const open = new Set<Socket>();
  let peak = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    peak = Math.max(peak, open.size);
    // Once that many are open, each one fails.
    if (peak >= most) for (const one of open) one.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}${query}`, from: 'a@example.com' });
  const sent = await Promise.all(Array.from({ length: MAIL_CONNECTIONS }, () => mailer.send(MAIL)));
  expect(sent.some(({ ok }) => ok)).toBe(false);
  expect([emailChannel(mailer, 'b').atOnce, peak]).toEqual([most, most]);
  mailer.close?.();
  server.close();
});

test.each([
  ['550-5.1.1 There is no such account.\r\n550 5.1.1 Look for typos.', true],
  ['550 5.2.1 The account is inactive', true],
  ['550 No such user here', true],
  ['553 Mailbox name not allowed', true],
  ['550 5.7.1 Client host is blocked', false],
  ['554 5.7.1 Relay access denied', false],
  ['554 Relay access denied', false],
  ['552 5.2.2 The mailbox is full', false],
  ['550 5.1.8 Sender address rejected', false],
  ['450 4.1.1 Try later', false],
])('[CHAN-05] %j at the recipient refuses the address: %j', async (answer, isRecipientRefused) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('220 mail\r\n');
    socket.on('data', (text) => socket.write(`${/^RCPT/.test(String(text)) ? answer : '250 ok'}\r\n`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@example.com' });
  expect(await mailer.send(MAIL)).toMatchObject({ ok: false, isRecipientRefused });
  mailer.close?.();
  server.close();
});
