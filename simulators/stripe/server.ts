import { Faults } from '../kit/faults.ts';
import type { Fault } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { redirect } from '../kit/http.ts';
import { controlPage } from '../kit/page.ts';
import type { SimulatorOptions } from '../kit/simulator.ts';
import { startSimulator } from '../kit/simulator.ts';
import { TRANSPORT_FAULTS, throughFaults } from '../kit/transport-faults.ts';
import { keepAccount, restoreAccount } from './account.ts';
import { StripeError } from './api.ts';
import { controls, stripeControlPage } from './control.ts';
import { stripePage } from './pages.ts';
import { WEBHOOK_FAULTS } from './webhooks.ts';
import { StripeWorld } from './world.ts';

/** Stripe without an HTTP server. */
export function createStripeWorld(url: () => string): StripeWorld {
  const kinds = ['error', 'applied_but_error', ...TRANSPORT_FAULTS, ...WEBHOOK_FAULTS];
  return new StripeWorld(new Faults(kinds), url);
}

/**
 * Stripe: the API for the official SDK, Checkout, the customer portal, webhooks, and a movable clock.
 * @param options.file stores the account between runs; without it each run begins at the seed
 */
export async function startStripe(
  options: SimulatorOptions & { file?: string | undefined } = {},
): Promise<SimServer> {
  const { file } = options;
  const urls: string[] = [];
  const world = createStripeWorld(() => urls[0] ?? '');
  const kept = file === undefined ? null : restoreAccount(file);
  if (kept !== null) world.use(kept);
  const server = await startSimulator(options, world.faults, {
    outside: (request) => serveStripe(world, request),
    control: controls(world),
    page: () => {
      world.catchUp();
      return controlPage(world.faults, stripeControlPage(world));
    },
    reset: () => world.reset({ empty: false }),
  });
  urls.push(server.url);
  return {
    ...server,
    close: () => {
      world.deliveries.close();
      if (file !== undefined) keepAccount(world.account, file);
      return server.close();
    },
  };
}

export async function serveStripe(world: StripeWorld, request: SimRequest): Promise<SimAnswer> {
  world.catchUp();
  if (request.path === '/') return redirect('/_sim');
  if (!request.path.startsWith('/v1/')) return stripePage(world, request);
  const { faults, account, api } = world;
  const occasion = { method: request.method, path: request.path.replace(/^\/v1/, ''), op: 'outer' as const };
  return throughFaults(faults, { request, occasion }, () => {
    const before = faults.take(['error'], occasion);
    if (before !== null) return failure(before);
    const after = faults.take(['applied_but_error'], occasion);
    return api.answer(account, world.url(), request, after && failure(after));
  });
}

function failure({ http = 500, message = 'An unknown error occurred' }: Fault): HttpAnswer {
  const type = http >= 500 ? 'api_error' : 'invalid_request_error';
  return new StripeError(http, message, { type, ...(http === 429 && { code: 'rate_limit' }) }).answer();
}
