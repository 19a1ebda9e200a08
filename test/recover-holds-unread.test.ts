import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Simulators } from '../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../scripts/outside/simulators.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { createDb } from '../src/server/db/database.ts';
import type { Db } from '../src/server/db/database.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import type { FreshDatabase } from './support/database.ts';
import { freshDatabase, silentLog } from './support/database.ts';
import type { Advertiser, TestProduct } from './support/product.ts';
import { KEY_OF_TESTS, newAdvertiser, startProduct, waitForStatuses } from './support/product.ts';

let simulators: Simulators;
let server: FreshDatabase;
let product: TestProduct | undefined;

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
  server = await freshDatabase();
  // The product opens it by itself.
  await server.pool.end();
});
afterAll(async () => {
  await product?.close();
  await simulators.stop();
  await server.close();
});

function recoverHolds(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const script = path.join(import.meta.dirname, '../scripts/recover-holds.ts');
  const env = {
    ...{ PATH: process.env['PATH'], DATABASE_URL: server.url, ENCRYPTION_KEY: KEY_OF_TESTS },
    ...simulators.environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });
}

async function inDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url: server.url, log: silentLog });
  try {
    return await use(createDb(database.pool));
  } finally {
    await database.close();
  }
}

/** Pauses the campaigns of several people by a disruption, and answers when it had not yet begun. */
async function pausedFor(count: number): Promise<{ people: Advertiser[]; since: string }> {
  const database = await openDatabase({ url: server.url, log: silentLog });
  const running = await startProduct({ simulators, database });
  product = running;
  const people: Advertiser[] = [];
  for (let n = 0; n < count; n += 1)
    people.push(await newAdvertiser({ product: running, simulators, campaigns: ['ACTIVE'] }));
  const since = new Date().toISOString();
  await simulators.status.reports('High disruptions');
  await waitForStatuses(
    simulators,
    people.flatMap(({ campaignIds }) => campaignIds),
    people.map(() => 'PAUSED'),
  );
  await waitFor('all holds to be settled', async () => {
    const holds = await running.app.db.selectFrom('hold').select(['state', 'in_doubt']).execute();
    return holds.length === count && holds.every(({ state, in_doubt }) => state === 'paused' && !in_doubt);
  });
  await running.close();
  product = undefined;
  return { people, since };
}

test('what cannot be asked about is named, and what was not written is not said to be', async () => {
  const { people, since } = await pausedFor(4);
  const [lost, refused, blocked, plain] = people;
  if (!lost || !refused || !blocked || !plain) throw new Error('not all of them are there');
  await inDatabase(async (db) => {
    const now = new Date();
    // As a restored database is that knows nothing of these pauses.
    await db.deleteFrom('hold').execute();
    const tokenOf = (who: Advertiser) =>
      db
        .updateTable('platform_token')
        .from('person')
        .whereRef('person.id', '=', 'person_id')
        .where('person.platform_user_id', '=', who.userId);
    await db.updateTable('ad_account').set({ lost_at: now }).where('id', '=', lost.accountId).execute();
    await tokenOf(refused).set({ refused_at: now, refused_reason: 'revoked' }).execute();
    // A hold of before that somebody's hand has given up, and that still waits for a late write.
    const { person_id } = await db
      .selectFrom('ad_account')
      .select('person_id')
      .where('id', '=', blocked.accountId)
      .executeTakeFirstOrThrow();
    const before = new Date(Date.parse(since) - 3_600_000);
    await db
      .insertInto('hold')
      .values({
        ...{ person_id, account_id: blocked.accountId, campaign_id: blocked.campaignIds[0] ?? '' },
        ...{ state: 'paused', created_at: before, given_up: 'smartpause_off' },
      })
      .execute();
  });

  const unread = [
    `NOT READ: ${lost.accountId}, Meta lets nobody of SmartPause at it any more. Look there by hand.`,
    `NOT READ: ${refused.accountId}, nobody has a permission that can be used. Look there by hand.`,
  ].sort();
  const found = await recoverHolds(since);
  expect(found).toMatchObject({ code: 1, err: '' });
  expect(found.out).toContain('2 are missing, 0 were written.');
  expect(found.out.trim().split('\n').slice(-2)).toEqual(unread);

  const written = await recoverHolds(since, '--write');
  expect(written).toMatchObject({ code: 1, err: '' });
  expect(written.out).toContain('2 are missing, 1 were written.');
  const lineOf = (who: Advertiser): string =>
    written.out.split('\n').find((line) => line.includes(who.campaignIds[0] ?? '')) ?? '';
  expect(lineOf(plain)).toMatch(/^written {2}/);
  expect(lineOf(blocked)).toMatch(/^missing {2}.*NOT WRITTEN: an earlier hold of it has not ended/);
  const holds = await inDatabase((db) =>
    db.selectFrom('hold').select(['campaign_id', 'given_up', 'state']).orderBy('campaign_id').execute(),
  );
  expect(holds).toEqual(
    [
      { campaign_id: blocked.campaignIds[0], given_up: 'smartpause_off', state: 'paused' },
      { campaign_id: plain.campaignIds[0], given_up: null, state: 'pausing' },
    ].sort((a, b) => ((a.campaign_id ?? '') < (b.campaign_id ?? '') ? -1 : 1)),
  );

  // What is left are those that nobody can be asked about.
  await inDatabase((db) => db.deleteFrom('hold').where('given_up', 'is not', null).execute());
  await recoverHolds(since, '--write');
  const again = await recoverHolds(since);
  expect(again.code).toBe(1);
  expect(again.out).toContain('Nothing is missing where Meta could be asked.');
  expect(again.out).not.toContain('Nothing is missing.');
});
