import { execFile } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { UserOverHttp } from '../../scripts/outside/user.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Db } from '../../src/server/db/database.ts';
import { createDb } from '../../src/server/db/database.ts';
import { openDatabase } from '../../src/server/db/pool/open.ts';
import type { FreshDatabase } from '../../test/support/database.ts';
import { freshDatabase, silentLog } from '../../test/support/database.ts';
import type { Advertiser, TestProduct } from '../../test/support/product.ts';
import { LATE_WRITE_MS } from '../../src/core/smartpause/hold.ts';
import {
  changesOf,
  KEY_OF_TESTS,
  newAdvertiser,
  startProduct,
  waitForStatuses,
} from '../../test/support/product.ts';

let simulators: Simulators;
let server: FreshDatabase;
let product: TestProduct;
let isRunning = false;

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
});
afterAll(async () => {
  await simulators.stop();
});
beforeEach(async () => {
  server = await freshDatabase();
  // The product opens it by itself at each start.
  await server.pool.end();
});
afterEach(async () => {
  if (isRunning) await stop();
  await simulators.status.reports('Resolved');
  await server.close();
});

/** Runs the command like an operator. */
function runRecovery(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const script = path.join(import.meta.dirname, '../../scripts/recover-holds.ts');
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

async function recoverHolds(...args: string[]): Promise<string> {
  const { code, out, err } = await runRecovery(...args);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

async function start(): Promise<void> {
  const database = await openDatabase({ url: server.url, log: silentLog });
  product = await startProduct({ simulators, database });
  isRunning = true;
}

async function stop(): Promise<void> {
  isRunning = false;
  await product.close();
}

/** The database while no product runs. */
async function inDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url: server.url, log: silentLog });
  try {
    return await use(createDb(database.pool));
  } finally {
    await database.close();
  }
}

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const nameOfDatabase = (): string => new URL(server.url).pathname.slice(1);

/** A copy of the current database, and its time. No process may be connected. */
async function backUp(): Promise<string> {
  const name = nameOfDatabase();
  await onServer(`create database ${name}_copy template ${name}`);
  return new Date().toISOString();
}

/** Replaces the database with the copy. */
async function restore(): Promise<void> {
  const name = nameOfDatabase();
  await onServer(`drop database ${name} with (force)`, `alter database ${name}_copy rename to ${name}`);
}

const become = (who: Advertiser, ...statuses: string[]): Promise<void> =>
  waitForStatuses(simulators, who.campaignIds, statuses);

/** Waits until the user has this many holds, all paused and confirmed. */
async function settled(who: Advertiser, held: number): Promise<void> {
  const { db } = product.app;
  await waitFor(`${held} to be held`, async () => {
    const holds = await db
      .selectFrom('hold')
      .select(['state', 'sent_at'])
      .where('account_id', '=', who.accountId)
      .where('state', '<>', 'ended')
      .execute();
    return (
      holds.length === held && holds.every(({ state, sent_at }) => state === 'paused' && sent_at === null)
    );
  });
}

async function eventsOf(who: Advertiser, campaign: number): Promise<string[]> {
  const rows = await product.app.db
    .selectFrom('activity')
    .select('event')
    .where('campaign_id', '=', who.campaignIds[campaign] ?? '')
    .where('hold_id', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ event }) => event);
}

test('resumes what was held at the backup after the restore, and changes nothing else', async () => {
  await start();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED', 'ACTIVE'], on: 2 });
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 1);
  await stop();
  const since = await backUp();
  await restore();

  expect(await recoverHolds(since, '--write')).toContain('Nothing is missing.');
  await start();
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE', 'PAUSED', 'ACTIVE');
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  expect(await changesOf(simulators, who.campaignIds[2] ?? '')).toEqual([]);
  // The restore would make a session valid again that ended after the backup.
  expect((await new UserOverHttp(product.url, who.user.token).call('GET', '/api/ad-accounts')).status).toBe(
    401,
  );
});

test('the status of the backup resumes nothing before a new status observation', async () => {
  await start();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  await stop();
  const since = await backUp();
  await restore();
  await recoverHolds(since, '--write');
  const database = await openDatabase({ url: server.url, log: silentLog });
  const { rows } = await database.pool.query(
    `select checked_at, known_is_from_backup, (select count(*)::int from session) as sessions,
      (select count(*)::int from platform_token where check_at <= now()) as permissions from platform_status`,
  );
  await database.close();
  expect(rows).toEqual([{ checked_at: null, known_is_from_backup: true, sessions: 0, permissions: 1 }]);
  await start();
  await become(who, 'ACTIVE');
});

test('a resume after the backup does not count as an external change after the recovery', async () => {
  await start();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED');
  await settled(who, 1);
  await stop();
  const since = await backUp();
  await start();
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE');
  await settled(who, 0);
  await stop();
  await restore();

  expect(await recoverHolds(since)).toMatch(/^missing .* resumed .*\n1 are missing, 0 were written/);
  expect(await recoverHolds(since, '--write')).toContain('1 are missing, 1 were written');
  expect(await recoverHolds(since)).toContain('Nothing is missing.');
  await start();
  product.clock.advance(LATE_WRITE_MS + 1000);
  await settled(who, 0);
  expect(await eventsOf(who, 0)).toEqual(['paused', 'resumed']);
  const { setting } = await product.app.db
    .selectFrom('smart_pause')
    .select('setting')
    .executeTakeFirstOrThrow();
  expect(setting).toBe('ON');
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
});

test('finds pauses after the backup in the log of Meta and resumes them: no campaign stays paused', async () => {
  await start();
  const who = await newAdvertiser({
    ...{ product, simulators, on: 3 },
    campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'],
  });
  const [, theirs = '', , off = ''] = who.campaignIds;
  await stop();
  const since = await backUp();
  await start();
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 2);
  await stop();
  // An external change resumes and pauses it in Ads Manager: SmartPause does not own this pause.
  await simulators.graph.post(`/campaigns/${theirs}`, { status: 'ACTIVE' });
  await simulators.graph.post(`/campaigns/${theirs}`, { status: 'PAUSED' });
  await restore();

  const output = await recoverHolds(since, '--write');
  expect(output).toMatch(/^written .* paused .*\n1 are missing, 1 were written/);
  await start();
  // The restored intents count as unconfirmed until no write can arrive.
  product.clock.advance(LATE_WRITE_MS + 1000);
  await settled(who, 1);
  expect(await eventsOf(who, 0)).toEqual(['paused']);
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 0);
  expect(await eventsOf(who, 0)).toEqual(['paused', 'resumed']);
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  expect(await changesOf(simulators, off)).toEqual([]);
});

test('names what cannot be read, and does not report unwritten holds as written', async () => {
  await start();
  const users: Advertiser[] = [];
  for (let n = 0; n < 4; n += 1)
    users.push(await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] }));
  const since = new Date().toISOString();
  await simulators.status.reports('High disruptions');
  for (const who of users) await become(who, 'PAUSED');
  for (const who of users) await settled(who, 1);
  await stop();
  const [lost, refused, blocked, plain] = users;
  if (!lost || !refused || !blocked || !plain) throw new Error('not all of them are there');
  await inDatabase(async (db) => {
    const now = new Date();
    // A restored database has no record of these pauses.
    await db.deleteFrom('hold').execute();
    const tokenOf = (who: Advertiser) =>
      db
        .updateTable('platform_token')
        .from('app_user')
        .whereRef('app_user.id', '=', 'user_id')
        .where('app_user.platform_user_id', '=', who.userId);
    await db.updateTable('ad_account').set({ lost_at: now }).where('id', '=', lost.accountId).execute();
    await tokenOf(refused).set({ refused_at: now, refused_reason: 'revoked' }).execute();
    // An earlier hold, released by an external change, that still waits for a late write.
    const { user_id } = await db
      .selectFrom('ad_account')
      .select('user_id')
      .where('id', '=', blocked.accountId)
      .executeTakeFirstOrThrow();
    const before = new Date(Date.parse(since) - 3_600_000);
    await db
      .insertInto('hold')
      .values({
        ...{ user_id, account_id: blocked.accountId, campaign_id: blocked.campaignIds[0] ?? '' },
        ...{ state: 'paused', created_at: before, release: 'smartpause_off' },
      })
      .execute();
  });

  const unread = [
    `NOT READ: ${lost.accountId}, Meta refuses access to every user of SmartPause. Check it manually.`,
    `NOT READ: ${refused.accountId}, no user has a usable permission. Check it manually.`,
  ].sort();
  const found = await runRecovery(since);
  expect(found).toMatchObject({ code: 1, err: '' });
  expect(found.out).toContain('2 are missing, 0 were written.');
  expect(found.out.trim().split('\n').slice(-2)).toEqual(unread);

  const written = await runRecovery(since, '--write');
  expect(written).toMatchObject({ code: 1, err: '' });
  expect(written.out).toContain('2 are missing, 1 were written.');
  const lineOf = (who: Advertiser): string =>
    written.out.split('\n').find((line) => line.includes(who.campaignIds[0] ?? '')) ?? '';
  expect(lineOf(plain)).toMatch(/^written {2}/);
  expect(lineOf(blocked)).toMatch(/^missing {2}.*NOT WRITTEN: an earlier hold of it has not ended/);
  const holds = await inDatabase((db) =>
    db.selectFrom('hold').select(['campaign_id', 'release', 'state']).orderBy('campaign_id').execute(),
  );
  expect(holds).toEqual(
    [
      { campaign_id: blocked.campaignIds[0], release: 'smartpause_off', state: 'paused' },
      { campaign_id: plain.campaignIds[0], release: null, state: 'pausing' },
    ].sort((a, b) => ((a.campaign_id ?? '') < (b.campaign_id ?? '') ? -1 : 1)),
  );

  // Only accounts without a usable token remain.
  await inDatabase((db) => db.deleteFrom('hold').where('release', 'is not', null).execute());
  await runRecovery(since, '--write');
  const again = await runRecovery(since);
  expect(again.code).toBe(1);
  expect(again.out).toContain('Nothing is missing where Meta could be asked.');
  expect(again.out).not.toContain('Nothing is missing.');
});
