import { Faults } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { redirect } from '../kit/http.ts';
import { controlPage } from '../kit/page.ts';
import { RequestLog } from '../kit/request-log.ts';
import type { SimulatorOptions } from '../kit/simulator.ts';
import { startSimulator } from '../kit/simulator.ts';
import { controls } from './control.ts';
import { STRIPE_FAULTS, serveApi } from './faults.ts';
import { checkoutPage } from './pages/checkout.ts';
import { clockAndSubscriptions } from './pages/control.ts';
import { messagePage } from './pages/frame.ts';
import { portalPage } from './pages/portal.ts';
import { keepAccount, restoreAccount } from './keep.ts';
import { StripeWorld } from './world.ts';

/**
 * Stripe: the API for the official SDK, Checkout, the customer portal, webhooks, and a movable clock.
 * @param options.file stores the account between runs; without it each run begins at the seed
 */
export async function startStripe(
  options: SimulatorOptions & { file?: string | undefined } = {},
): Promise<SimServer> {
  const { file } = options;
  const urls: string[] = [];
  const parts = { faults: new Faults(STRIPE_FAULTS), log: new RequestLog() };
  const world = new StripeWorld(parts.faults, () => urls[0] ?? '');
  const kept = file === undefined ? null : restoreAccount(file);
  if (kept !== null) world.use(kept);
  const reset = (empty: boolean): void => {
    parts.faults.drop();
    parts.log.clear();
    world.reset({ empty });
  };
  const server = await startSimulator(options, parts, {
    outside: (request) => serveStripe(world, request),
    control: controls(world, reset),
    page: () => {
      world.catchUp();
      return controlPage(parts.faults, clockAndSubscriptions(world));
    },
    reset: () => reset(false),
  });
  urls.push(server.url);
  return {
    ...server,
    close: () => {
      world.deliveries.clear();
      if (file !== undefined) keepAccount(world.account, file);
      return server.close();
    },
  };
}

export async function serveStripe(world: StripeWorld, request: SimRequest): Promise<SimAnswer> {
  world.catchUp();
  if (request.path.startsWith('/v1/')) return serveApi(world, request);
  if (request.path === '/') return redirect('/_sim');
  return (await page(world, request)) ?? messagePage(404, 'Nothing here', 'There is no such page.');
}

async function page(world: StripeWorld, request: SimRequest): Promise<HttpAnswer | null> {
  const [, kind, id] = /^\/(c\/pay|p\/session)\/([^/]+)$/.exec(request.path) ?? [];
  if (id === undefined || (request.method !== 'GET' && request.method !== 'POST')) return null;
  return kind === 'c/pay' ? checkoutPage(world, id, request) : portalPage(world, id, request);
}
