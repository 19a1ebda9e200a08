import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import type { Mailer } from './email.ts';
import { createMailer } from './email.ts';

const NOTIFICATION = {
  messageId: '<1@x>',
  to: 'a@example.com',
  subject: 'S',
  text: 'T',
  html: '<p>T</p>',
  writtenAt: 0,
};

let server: Server;
let open: Set<Socket>;
let mailer: Mailer;

/** An SMTP server that accepts connections and never responds. */
beforeEach(async () => {
  open = new Set();
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  mailer = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'SmartPause <mail@example.com>',
  });
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('limits hanging emails, and sends again after the server closes their connections', async () => {
  const hanging = Array.from({ length: 20 }, () => mailer.send(NOTIFICATION));
  await waitFor('all to be connected', () => open.size === 20);
  expect(await mailer.send(NOTIFICATION)).toEqual({
    ok: false,
    error: 'TOO_MANY_UNFINISHED',
    isPermanent: false,
  });
  expect(open.size).toBe(20);
  for (const socket of open) socket.destroy();
  for (const result of await Promise.all(hanging))
    expect(result).toMatchObject({ ok: false, isPermanent: false });
  const next = mailer.send(NOTIFICATION);
  await waitFor('another to be connected', () => open.size === 1);
  for (const socket of open) socket.destroy();
  expect(await next).toMatchObject({ ok: false });
});
