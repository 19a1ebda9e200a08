import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { CONNECTION_LIMITS } from './limits/connections.ts';
import { createHttpServer } from './server.ts';

test('a connection that a browser opened ahead and did not use is closed without a response', async () => {
  const limits = { ...CONNECTION_LIMITS, headersMs: 50, requestMs: 100, checkMs: 10 };
  const app = createHttpServer({ logLevel: 'silent', limits });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (bytes) => (received += bytes.toString()));
  await once(socket, 'close');
  expect(received).toBe('');
  await app.close();
});
