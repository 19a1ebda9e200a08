import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, outliving, silentLog } from '../../../test/support/database.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import type { PageStream } from '../../../test/support/page-stream.ts';
import { openStream } from '../../../test/support/page-stream.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { newAdvertiser, startProduct } from '../../../test/support/product.ts';
import type { UserOverHttp } from '../../../scripts/simulator-clients/user.ts';
import { signIn } from '../../../scripts/simulator-clients/user.ts';
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
  let bob: Advertiser;

  beforeAll(async () => {
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

  test('is neither cached nor buffered', async () => {
    const { headers } = (await open(bob.user)).response;
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'no']);
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
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
  test('share their changes, each with the users whom it is about; a lost listener and a shutdown end the streams', async () => {
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
    const other = await newAdvertiser({ product: web, simulators, campaigns: ['ACTIVE'], on: 0 });
    const [stream, others] = [await open(who.user), await open(other.user)];
    await simulators.status.reports('High disruptions');
    await Promise.all([stream.hears('status'), others.hears('status')]);
    await stream.hears('campaigns');
    expect(others.topics).toEqual([]);
    expect(stream.text + others.text).toMatch(/^(data: \{"topic":"\w+"\}\n\n|:\n\n)+$/);

    const broken = await first.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'smartpause-listener'`,
    );
    expect(broken.rows).toHaveLength(1);
    await stream.ended;
    const again = await open(who.user);
    await simulators.status.reports('Resolved');
    await again.hears('status');

    const more = await Promise.all(Array.from({ length: 5 }, () => open(who.user)));
    await web.close();
    await Promise.all([again, ...more].map(({ ended }) => ended));
    await worker.close();
    await first.close();
    await simulators.stop();
  });
});
