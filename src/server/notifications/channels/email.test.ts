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
