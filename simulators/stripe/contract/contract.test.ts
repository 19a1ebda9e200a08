import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { SimServer } from '../../kit/http.ts';
import { StripeDoor } from '../../../scripts/outside/stripe.ts';
import { Conversation } from '../conformance/conversation.ts';
import { startStripe } from '../server.ts';
import { clientFor } from '../stripe.fixture.ts';
import { describeCalls } from './calls.ts';
import { describeCheckout } from './checkout.ts';
import type { Stand } from './stand.ts';
import { prepare } from './stand.ts';
import { describeSubscriptions } from './subscriptions.ts';

const sandboxKey = process.env['STRIPE_SANDBOX_KEY'] ?? '';
if (sandboxKey.startsWith('sk_live_'))
  throw new Error('STRIPE_SANDBOX_KEY is a live key: use one of a sandbox.');

function describeContract(title: string, client: () => Promise<Stripe> | Stripe, wanted = true): void {
  describe.skipIf(!wanted)(`the contract, ${title}`, () => {
    let prepared: Awaited<ReturnType<typeof prepare>>;
    beforeAll(async () => {
      prepared = await prepare(await client());
    });
    afterAll(() => prepared.clear());
    const stand = (): Stand => prepared;
    describeCalls(stand);
    describeCheckout(stand);
    describeSubscriptions(stand);
  });
}

let server: SimServer;
beforeAll(async () => {
  server = await startStripe();
});
afterAll(async () => {
  const conversation = new Conversation();
  await conversation.record(new StripeDoor(server.url));
  await server.close();
  expect(await conversation.check()).toEqual([]);
});

describeContract('by the simulator', () => clientFor(server.url));
describeContract('by Stripe itself', () => new Stripe(sandboxKey), sandboxKey !== '');
