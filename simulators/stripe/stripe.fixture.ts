import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { SIMULATED_STRIPE, StripeControlClient } from '../../scripts/simulator-clients/stripe.ts';
import type { SimServer } from '../kit/http.ts';
import { PORTAL_CONFIGURATION } from './routes.ts';
import { startStripe } from './server.ts';

/** The unchanged SDK with the simulator as its host. */
export function clientFor(url: string): Stripe {
  const { hostname: host, port } = new URL(url);
  const options = { host, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 } as const;
  return new Stripe(SIMULATED_STRIPE.STRIPE_SECRET_KEY, options);
}

/** A simulator for one file, reset before each test. */
export function useStripe() {
  let server: SimServer;
  beforeAll(async () => {
    server = await startStripe();
  });
  beforeEach(async () => {
    const control = new StripeControlClient(server.url);
    // An empty account has no endpoints left.
    await control.reset({ empty: true });
    await control.reset();
  });
  afterAll(() => server.close());
  return {
    get url() {
      return server.url;
    },
    get control() {
      return new StripeControlClient(server.url);
    },
    get stripe() {
      return clientFor(server.url);
    },
    async openPortal(customer: string) {
      const { url } = await clientFor(server.url).billingPortal.sessions.create({
        customer,
        configuration: PORTAL_CONFIGURATION,
        return_url: 'http://localhost:3000/settings',
      });
      return new StripeControlClient(server.url).portal(url);
    },
  };
}
