import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { callStripe, createStripe } from './client.ts';

test('limits concurrent calls to Stripe; further calls wait', async () => {
  const held = new Set<ServerResponse>();
  let most = 0;
  const server = createServer((_request, response) => {
    held.add(response);
    most = Math.max(most, held.size);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stripe = createStripe('sk_test_1', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const calls = Array.from({ length: 60 }, () =>
    callStripe(
      () => stripe.customers.retrieve('cus_1'),
      () => undefined,
    ),
  );
  await waitFor('as many as may be to be under way', () => held.size === 50);
  let answered = 0;
  while (answered < calls.length) {
    await waitFor('the next ones', () => held.size > 0);
    for (const response of held) {
      held.delete(response);
      answered += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'cus_1', object: 'customer' }));
    }
  }
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
  expect(most).toBe(50);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
