import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { linkTo, type DatabaseLink } from '../../test/support/database-link.ts';
import { freshDatabase, silentLog, type FreshDatabase } from '../../test/support/database.ts';
import { newAdvertiser, waitForStatuses, type Advertiser } from '../../test/support/product.ts';
import { startWorld, type World } from '../../test/support/world.ts';

const LIMITS = { log: silentLog, maxConnections: 4, connectTimeoutMs: 1_000, statementTimeoutMs: 1_000 };

let origin: FreshDatabase;
let link: DatabaseLink;
let world: World;
let who: Advertiser;

beforeAll(async () => {
  origin = await freshDatabase();
  link = await linkTo(origin.url);
  const database = await openDatabase({ url: link.url, ...LIMITS });
  // A lease that was cut off with the database ends soon enough to wait for it.
  world = await startWorld({ database, timings: { leaseMs: 5_000, pollMs: 100, sweepMs: 60_000 } });
  const { product, simulators } = world;
  who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'ACTIVE'] });
});
afterEach(async () => {
  await link.mend();
  await isWell();
});
// The world ends although its database is away.
afterAll(async () => {
  await link.cut();
  await world.close();
  await origin.close();
});

const health = async () => {
  const answer = await fetch(`${world.product.url}/health`);
  return { status: answer.status, body: (await answer.json()) as object };
};

const isWell = () =>
  waitFor('the database to answer again', async () => {
    if ((await health()).status !== 200) return false;
    const { status, body } = await who.user.call<{ status: string }>('GET', '/api/status');
    return status === 200 && body.status === 'UP';
  });

/** The response must come while the database is still unavailable. */
async function expectRefused(path: string): Promise<void> {
  const headers = { authorization: `Bearer ${who.user.token}` };
  const answer = await fetch(world.product.url + path, { headers });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).toMatchObject({ error: { code: 'TRY_LATER' } });
}

test.each<[string, () => Promise<void> | void, RegExp]>([
  ['gone', () => link.cut(), /^gone$/],
  // A new connection fails (gone), or an existing one does not answer (slow).
  ['silent', () => link.silence(), /^(gone|slow)$/],
])('a database that is %s: every call is refused, and the process stays up', async (_what, act, word) => {
  expect(await health()).toEqual({ status: 200, body: { healthy: true, database: 'fine' } });
  await act();
  const database: unknown = expect.stringMatching(word);
  expect(await health()).toEqual({ status: 503, body: { healthy: false, database } });
  await Promise.all(['/api/me', '/api/status', `/api/campaigns/${who.accountId}`].map(expectRefused));
  expect(await (await fetch(`${world.product.url}/health/live`)).json()).toEqual({ alive: true });
  await link.mend();
  await isWell();
  expect((await who.user.call('GET', '/api/me')).status).toBe(200);
});

test('an outage that starts without the database pauses campaigns once it is back', async () => {
  await link.cut();
  await world.simulators.status.reports('High disruptions');
  await waitFor('the health to say so', async () => (await health()).status === 503);
  await link.mend();
  await waitForStatuses(world.simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
  await world.simulators.status.reports('Resolved');
  await waitForStatuses(world.simulators, who.campaignIds, ['ACTIVE', 'ACTIVE']);
});
