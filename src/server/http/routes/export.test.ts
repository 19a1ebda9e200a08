import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { countBlocked } from '../../../../test/support/database.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { inTransaction } from '../../db/database.ts';

describe('the data export', () => {
  // Role `web`: no background work queries the database, so each waiting query belongs to an export.
  const suite = startSuite({ environment: { ROLE: 'web' } });
  let users: Advertiser[];

  beforeAll(async () => {
    users = await Promise.all([1, 2, 3, 4, 5].map(() => suite.advertiser({ campaigns: [] })));
  });

  const ask = (index: number, signal?: AbortSignal) =>
    fetch(`${suite.product.url}/api/account/export`, {
      headers: { authorization: `Bearer ${users[index]?.user.token ?? ''}` },
      ...(signal === undefined ? {} : { signal }),
    });
  const waiting = (count: number) =>
    waitFor(`${count} to be read`, async () => (await countBlocked(suite.product.app.db)) === count);
  /** Blocks every export until `run` ends. */
  const whileHeldUp = <T>(run: () => Promise<T>): Promise<T> =>
    inTransaction(suite.product.app.db, async (tx) => {
      await sql`lock table billing_customer in access exclusive mode`.execute(tx);
      return run();
    });
  const isRefused = async (answer: Response): Promise<void> => {
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ error: { code: 'TOO_MANY_REQUESTS' } });
  };

  test('runs once at a time per user, and at most twice in total', async () => {
    const begun = await whileHeldUp(async () => {
      const first = ask(0);
      await waiting(1);
      await isRefused(await ask(0));
      const second = ask(1);
      await waiting(2);
      await isRefused(await ask(2));
      return { first, second };
    });
    expect((await begun.first).status).toBe(200);
    expect((await begun.second).status).toBe(200);
    expect((await ask(2)).status).toBe(200);
  });

  test('can be requested again by a user who disconnected before it was complete', async () => {
    const leaving = new AbortController();
    const gone = await whileHeldUp(async () => {
      const asked = ask(3, leaving.signal).catch((error: unknown) => error);
      await waiting(1);
      leaving.abort();
      return asked;
    });
    expect(gone).toBeInstanceOf(Error);
    const again = await waitFor('the running exports to end', async () => {
      const answer = await ask(3);
      return answer.status === 200 ? answer : null;
    });
    expect(await again.json()).toMatchObject({ user: { metaUserId: users[3]?.userId } });
  });

  test('is limited to 20 a minute', async () => {
    let given = 0;
    for (let time = 0; time < 50; time += 1) {
      const answer = await ask(4);
      if (answer.status === 200) given += 1;
      else await isRefused(answer);
    }
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThanOrEqual(20);
  });
});
