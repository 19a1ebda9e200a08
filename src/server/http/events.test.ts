import { once } from 'node:events';
import { Writable } from 'node:stream';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FreshDatabase } from '../../../test/database.ts';
import { freshDatabase, outliving, silentLog } from '../../../test/database.ts';
import type { EngineSuite } from '../../../test/engine-suite.ts';
import { engineSuite } from '../../../test/engine-suite.ts';
import type { PageStream } from '../../../test/page-stream.ts';
import { openStream } from '../../../test/page-stream.ts';
import type { Advertiser, TestProduct, TestProductOptions } from '../../../test/product.ts';
import { newAdvertiser, startProduct } from '../../../test/product.ts';
import type { PersonOverHttp } from '../../../scripts/outside/person.ts';
import { signIn } from '../../../scripts/outside/person.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { CHANGES_PATH } from '#contract/changes.ts';
import { changeRole } from '../db/roles.ts';
import { openDatabase } from '../db/pool/open.ts';

const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

const streams: PageStream[] = [];

async function open(page: PersonOverHttp): Promise<PageStream> {
  const stream = await openStream(page);
  streams.push(stream);
  return stream;
}

afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

interface Own {
  product: TestProduct;
  database: FreshDatabase;
  who: Advertiser;
}

/** A product that the test closes itself, with somebody in it; all around it ends with the test. */
async function withOwnProduct(
  run: (own: Own) => Promise<void>,
  optionsFor: (database: FreshDatabase) => Partial<TestProductOptions> = () => ({}),
  maxConnections = 10,
): Promise<void> {
  const simulators = await startSimulators(SIMULATORS, 'free');
  const database = await freshDatabase({ maxConnections });
  try {
    const options = { simulators, database: outliving(database), ...optionsFor(database) };
    const product = await startProduct(options);
    const who = await newAdvertiser({ product, simulators, campaigns: [] });
    await run({ product, database, who });
  } finally {
    await database.close();
    await simulators.stop();
  }
}

describe('the stream of changes', () => {
  const suite: EngineSuite = engineSuite();
  let ann: Advertiser;
  let bob: Advertiser;

  beforeAll(async () => {
    ann = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    bob = await suite.advertiser({ campaigns: ['ACTIVE'] });
  });

  /** All that was done before, also by the engine after its last write to the platform, has been told. */
  async function allIsTold(who: Advertiser): Promise<void> {
    await suite.atRest(who);
    const stream = await open(who.person);
    await who.person.post('/api/user/settings', SETTINGS);
    // Told in the order in which it was done.
    await stream.hears('person');
  }

  test('a person has twenty, and the next is refused for a while', async () => {
    const chief = await suite.advertiser({ campaigns: [] });
    for (let i = 0; i < 20; i += 1) await open(chief.person);
    const headers = { authorization: `Bearer ${chief.person.token}` };
    const refused = await fetch(suite.product.url + CHANGES_PATH, { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300']);
    expect(await refused.json()).toMatchObject({ error: { code: 'TOO_MANY_REQUESTS' } });
    expect(streams.every(({ isOpen }) => isOpen)).toBe(true);
    streams[0]?.close();
    await waitFor('there to be room', async () => (await openOrNull(chief.person)) !== null);
  });

  const openOrNull = (page: PersonOverHttp) => open(page).catch(() => null);

  test('is for whoever has a session, and nobody keeps it on the way', async () => {
    for (const headers of [{}, { authorization: `Bearer ${'x'.repeat(43)}` }]) {
      const refused = await fetch(suite.product.url + CHANGES_PATH, { headers });
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    }
    const { headers } = (await open(ann.person)).answer;
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
    expect([headers.get('content-encoding'), headers.get('access-control-allow-origin')]).toEqual([
      null,
      null,
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('an outage is heard of at once: the status by all, paused campaigns by whose they are', async () => {
    const [anns, bobs] = [await open(ann.person), await open(bob.person)];
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await Promise.all([anns.hears('status'), bobs.hears('status')]);
    await suite.become(ann, ['PAUSED', 'PAUSED']);
    await suite.settled(ann);
    await anns.hears('campaigns', ann.accountId);
    anns.changes.length = 0;
    await suite.report('Resolved', 'UP');
    await suite.become(ann, ['ACTIVE', 'ACTIVE']);
    await anns.hears('campaigns', ann.accountId);
    expect(anns.changes.filter(({ adAccountId }) => adAccountId === bob.accountId)).toEqual([]);
    expect(JSON.stringify([...anns.changes, ...bobs.changes])).not.toMatch(/HIGH|PAUSED|Resolved/);
  });

  test('that the page was read again, and found as it was, is no news', async () => {
    await allIsTold(ann);
    const stream = await open(ann.person);
    const checkedAt = async () => (await ann.person.get<{ checkedAt: string }>('/api/status')).checkedAt;
    const before = await checkedAt();
    await waitFor('another reading', async () => (await checkedAt()) !== before);
    await ann.person.post('/api/user/settings', { ...SETTINGS, outageThreshold: 'MEDIUM' });
    await stream.hears('person');
    expect(stream.changes.map(({ what }) => what)).toEqual(['person']);
  });

  test('what somebody does is heard by their other pages, and by nobody else', async () => {
    await allIsTold(bob);
    const [own, others] = [await open(ann.person), await open(bob.person)];
    const [campaignId = ''] = ann.campaignIds;
    await ann.person.setSmartPause(ann.accountId, campaignId, false);
    await own.hears('campaigns', ann.accountId);
    own.changes.length = 0;
    await ann.person.post(`/api/campaigns/${campaignId}/pause`);
    await own.hears('campaigns', ann.accountId);
    await ann.person.post(`/api/campaigns/${campaignId}/resume`);
    await ann.person.setSmartPause(ann.accountId, campaignId, true);
    const second = await signIn(suite.product.url, ann.userId);
    await own.hears('sessions');
    await second.cancelSubscription(suite.simulators.stripe);
    await own.hears('subscription');
    expect(others.changes).toEqual([]);
  });

  test('administrators hear that somebody did something, from the moment they are one', async () => {
    const chief = await suite.advertiser({ campaigns: [] });
    const before = await open(chief.person);
    await suite.product.app.db
      .transaction()
      .execute((tx) => changeRole(tx, { platformUserId: chief.userId, role: 'developers', act: 'grant' }));
    await before.hears('person');
    const after = await open(chief.person);
    await bob.person.post('/api/user/settings', SETTINGS);
    await after.hears('activity');
    await chief.person.post('/api/admin/force-low');
    await before.hears('status');
    await chief.person.post('/api/admin/clear');
    suite.product.clock.advance(31_000);
    await waitFor('the new role to be known', async () => {
      await bob.person.post('/api/user/settings', SETTINGS);
      return before.changes.some(({ what }) => what === 'activity');
    });
  });

  test('ends with its session: by logout, ended elsewhere, replaced, or run out; and only then', async () => {
    const devices = [];
    for (let i = 0; i < 4; i += 1) devices.push(await signIn(suite.product.url, bob.userId));
    const [one, two, three, four] = devices as [
      PersonOverHttp,
      PersonOverHttp,
      PersonOverHttp,
      PersonOverHttp,
    ];
    const stays = await open(bob.person);
    const [byLogout, elsewhere, replaced, ranOut] = await Promise.all([one, two, three, four].map(open));
    await fetch(`${suite.product.url}/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.token}` },
    });
    await byLogout?.ended;
    const { sessions } = await two.get<{ sessions: { id: string; isCurrent: boolean }[] }>('/api/sessions');
    await bob.person.post(`/api/sessions/${sessions.find((s) => s.isCurrent)?.id ?? ''}/end`);
    await elsewhere?.ended;
    three.token = (await three.post<{ token: string }>('/api/user/initialize', SETTINGS)).token;
    expect([stays.isOpen, replaced?.isOpen, ranOut?.isOpen]).toEqual([true, true, true]);
    await suite.product.app.db
      .updateTable('session')
      .set({ expires_at: new Date(0) })
      .where('id', '=', await sessionIdOf(four))
      .execute();
    suite.product.clock.advance(5 * 60_000 + 31_000);
    await Promise.all([replaced?.ended, ranOut?.ended]);
    expect(stays.isOpen).toBe(true);
  });

  async function sessionIdOf(device: PersonOverHttp): Promise<string> {
    const { sessions } = await device.get<{ sessions: { id: string; isCurrent: boolean }[] }>(
      '/api/sessions',
    );
    return sessions.find(({ isCurrent }) => isCurrent)?.id ?? '';
  }

  test('says every twenty seconds that it is there, and outlives the database session it hears by', async () => {
    const stream = await open(ann.person);
    suite.product.clock.advance(21_000);
    await waitFor('a sign of life', () => stream.comments > 0);
    const client = await suite.database.pool.connect();
    client.release(true);
    await suite.report('Medium disruptions', 'MEDIUM_DISRUPTION');
    await stream.hears('status');
  });
});

describe('closing with open streams', () => {
  test('ends them', async () => {
    await withOwnProduct(async ({ product, who }) => {
      const pages = await Promise.all(Array.from({ length: 5 }, () => open(who.person)));
      await product.close();
      await Promise.all(pages.map(({ ended }) => ended));
    });
  });
});

describe('opening while it closes', () => {
  test('ends at once, and nothing waits for it', () =>
    withOwnProduct(
      async ({ product, database, who }) => {
        const early = await open(who.person);
        // The only connection of this product is taken: who is asking cannot be told until it is given back.
        const held = await database.pool.connect();
        const arrived = once(product.app.http.server, 'request');
        const headers = { authorization: `Bearer ${who.person.token}` };
        const late = fetch(product.url + CHANGES_PATH, { headers });
        await arrived;
        const closed = product.close();
        await early.ended;
        held.release();
        await (await late).text();
        await closed;
      },
      undefined,
      1,
    ));
});

describe('a process that does not hear', () => {
  test('has no streams, and says so, until it hears again', async () => {
    let passes = true;
    const logged: string[] = [];
    const logTo = new Writable({
      write: (line: Buffer, _encoding, done) => {
        logged.push(line.toString());
        done();
      },
    });
    // Like a pooler in transaction mode once it does not pass: LISTEN is accepted, and nothing comes.
    const pooled = (database: FreshDatabase): Partial<TestProductOptions> => ({
      database: {
        ...outliving(database),
        listen: (options) =>
          database.listen({ ...options, onMessage: (said) => passes && options.onMessage(said) }),
      },
      environment: { LOG_LEVEL: 'info' },
      logTo,
    });
    const goOn = async ({ product, who }: Own): Promise<void> => {
      const early = await open(who.person);
      passes = false;
      const headers = { authorization: `Bearer ${who.person.token}` };
      const says = (words: string) => logged.some((line) => line.includes(words));
      await waitFor('it to be known', () => {
        product.clock.advance(6_000);
        return says('are not heard of');
      });
      await early.ended;
      const refused = await fetch(product.url + CHANGES_PATH, { headers });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await refused.json()).toMatchObject({ error: { code: 'LIVE_UNAVAILABLE' } });
      passes = true;
      await waitFor('it to hear again', () => {
        product.clock.advance(61_000);
        return says('heard of again');
      });
      await open(who.person);
      await product.close();
    };
    await withOwnProduct(goOn, pooled);
  });
});

describe('several processes on one PostgreSQL', () => {
  test('a page hears of what another process did, also after its listening connection was broken', async () => {
    const simulators = await startSimulators(SIMULATORS, 'free');
    const first = await freshDatabase();
    const second = await openDatabase({ url: first.url, log: silentLog });
    const web = await startProduct({ simulators, database: second, environment: { ROLE: 'web' } });
    const worker = await startProduct({ simulators, database: first, environment: { ROLE: 'worker' } });
    const who = await newAdvertiser({ product: web, simulators, campaigns: ['ACTIVE'] });
    const stream = await open(who.person);
    await simulators.status.reports('High disruptions');
    await stream.hears('status');
    await stream.hears('campaigns', who.accountId);

    const broken = await first.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'smartpause-listener'`,
    );
    expect(broken.rows).toHaveLength(1);
    await stream.hears('everything');
    stream.changes.length = 0;
    await simulators.status.reports('Resolved');
    await stream.hears('status');
    await web.close();
    await worker.close();
    await simulators.stop();
  });
});
