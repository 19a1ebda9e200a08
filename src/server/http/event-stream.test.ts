import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, outliving, silentLog } from '../../../test/support/database.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import type { PageStream } from '../../../test/support/page-stream.ts';
import { openStream } from '../../../test/support/page-stream.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { newAdvertiser, startProduct } from '../../../test/support/product.ts';
import type { UserOverHttp } from '../../../scripts/outside/user.ts';
import { signIn } from '../../../scripts/outside/user.ts';
import { startSimulators } from '../../../test/support/simulators.ts';
import { EVENTS_PATH } from '#contract/live-updates.ts';
import { hashSecret } from '../secrets.ts';
import { openDatabase } from '../db/open-database.ts';

const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

const streams: PageStream[] = [];

async function open(page: UserOverHttp): Promise<PageStream> {
  const stream = await openStream(page);
  streams.push(stream);
  return stream;
}

afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

describe('the event stream', () => {
  const suite = engineSuite({ keepsUsers: true });
  let ann: Advertiser;
  let bob: Advertiser;

  beforeAll(async () => {
    // Its cancellation is a change.
    ann = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], renews: true });
    bob = await suite.advertiser({ campaigns: ['ACTIVE'] });
  });

  test('is limited to 20 per user; the next is rejected with Retry-After', async () => {
    const user = await suite.advertiser({ campaigns: [] });
    for (let i = 0; i < 20; i += 1) await open(user.user);
    const headers = { authorization: `Bearer ${user.user.token}` };
    const refused = await fetch(suite.product.url + EVENTS_PATH, { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300']);
    expect(await refused.json()).toMatchObject({ error: { code: 'TOO_MANY_REQUESTS' } });
    expect(streams.every(({ isOpen }) => isOpen)).toBe(true);
  });

  test('needs a session, and is neither cached nor buffered', async () => {
    for (const headers of [{}, { authorization: `Bearer ${'x'.repeat(43)}` }]) {
      const refused = await fetch(suite.product.url + EVENTS_PATH, { headers });
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    }
    const { headers } = (await open(ann.user)).response;
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('sends the status to every user, and campaigns to their user only', async () => {
    const [anns, bobs] = [await open(ann.user), await open(bob.user)];
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await Promise.all([anns.hears('status'), bobs.hears('status')]);
    await suite.become(ann, ['PAUSED', 'PAUSED']);
    await anns.hears('campaigns');
    await suite.report('Resolved', 'UP');
    await anns.hears('status');
    await suite.become(ann, ['ACTIVE', 'ACTIVE']);
    await anns.hears('campaigns');
    await suite.turn();
    expect(anns.text + bobs.text).toMatch(/^(data: \{"topic":"\w+"\}\n\n|:\n\n)+$/);
  });

  test('ends with its session: logged out, ended elsewhere, replaced or expired', async () => {
    const [one, two, three, four] = [await login(), await login(), await login(), await login()];
    const stays = await open(bob.user);
    const byLogout = await open(one);
    const replaced = await open(two);
    const expired = await open(three);
    await fetch(`${suite.product.url}/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.token}` },
    });
    await byLogout.ended;
    two.token = (await two.post<{ token: string }>('/api/user/initialize', SETTINGS)).token;
    await stays.hears('sessions');
    expect([stays.isOpen, replaced.isOpen, expired.isOpen]).toEqual([true, true, true]);
    await suite.product.app.db
      .updateTable('sessions')
      .set({ expiresAt: new Date(0) })
      .where('tokenHash', '=', hashSecret(three.token))
      .execute();
    suite.product.clock.advance(5 * 60_000 + 21_000);
    await Promise.all([replaced.ended, expired.ended]);
    const elsewhere = await open(four);
    await bob.user.post('/api/sessions/end-others');
    await elsewhere.ended;
    expect(stays.isOpen).toBe(true);
  });

  const login = () => signIn(suite.product.url, bob.userId);
});

describe('several processes on one PostgreSQL', () => {
  test('share their changes; a lost listener and a shutdown end the streams', async () => {
    const simulators = await startSimulators();
    const first = await freshDatabase();
    const second = await openDatabase({ url: first.url, log: silentLog });
    const web = await startProduct({ simulators, database: second, environment: { ROLE: 'web' } });
    const worker = await startProduct({
      simulators,
      database: outliving(first),
      environment: { ROLE: 'worker' },
    });
    const who = await newAdvertiser({ product: web, simulators, campaigns: ['ACTIVE'] });
    const stream = await open(who.user);
    await simulators.status.reports('High disruptions');
    await stream.hears('status');
    await stream.hears('campaigns');

    const broken = await first.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'smartpause-listener'`,
    );
    expect(broken.rows).toHaveLength(1);
    await stream.ended;
    const again = await open(who.user);
    await simulators.status.reports('Resolved');
    await again.hears('status');

    const others = await Promise.all(Array.from({ length: 5 }, () => open(who.user)));
    await web.close();
    await Promise.all([again, ...others].map(({ ended }) => ended));
    await worker.close();
    await first.close();
    await simulators.stop();
  });
});
