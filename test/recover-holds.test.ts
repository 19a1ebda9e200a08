import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { PersonOverHttp } from '../scripts/outside/person.ts';
import type { Simulators } from '../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../scripts/outside/simulators.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import type { FreshDatabase } from './support/database.ts';
import { freshDatabase, silentLog } from './support/database.ts';
import type { Advertiser, TestProduct } from './support/product.ts';
import { changesOf, KEY_OF_TESTS, newAdvertiser, startProduct, waitForStatuses } from './support/product.ts';

let simulators: Simulators;
let server: FreshDatabase;
let product: TestProduct;

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
});
afterAll(async () => {
  await simulators.stop();
});
beforeEach(async () => {
  server = await freshDatabase();
  // The product opens it by itself, as often as it is started.
  await server.pool.end();
});
afterEach(async () => {
  await product.close();
  await simulators.status.reports('Resolved');
  await server.close();
});

/** The command, as an operator runs it. */
async function recoverHolds(...args: string[]): Promise<string> {
  const script = path.join(import.meta.dirname, '../scripts/recover-holds.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    env: {
      ...{ PATH: process.env['PATH'], DATABASE_URL: server.url, ENCRYPTION_KEY: KEY_OF_TESTS },
      ...simulators.environment,
    },
  });
  return stdout;
}

async function start(): Promise<void> {
  const database = await openDatabase({ url: server.url, log: silentLog });
  product = await startProduct({ simulators, database });
}

async function onServer(...statements: string[]): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const nameOfDatabase = (): string => new URL(server.url).pathname.slice(1);

/** A copy of the database as it is now, and its time. No process may be connected. */
async function backUp(): Promise<string> {
  const name = nameOfDatabase();
  await onServer(`create database ${name}_copy template ${name}`);
  return new Date().toISOString();
}

/** Puts the copy in the place of the database. */
async function restore(): Promise<void> {
  const name = nameOfDatabase();
  await onServer(`drop database ${name} with (force)`, `alter database ${name}_copy rename to ${name}`);
}

const become = (who: Advertiser, ...statuses: string[]): Promise<void> =>
  waitForStatuses(simulators, who.campaignIds, statuses);

/** Nothing of theirs is under way any more. */
async function settled(who: Advertiser, held: number): Promise<void> {
  const { db } = product.app;
  await waitFor(`${held} to be held`, async () => {
    const holds = await db
      .selectFrom('hold')
      .select(['state', 'in_doubt'])
      .where('account_id', '=', who.accountId)
      .where('state', '<>', 'ended')
      .execute();
    return holds.length === held && holds.every(({ state, in_doubt }) => state === 'paused' && !in_doubt);
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

test('what was held at the backup is resumed after the restore, and nothing else is touched', async () => {
  await start();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED', 'ACTIVE'], on: 2 });
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 1);
  await product.close();
  const since = await backUp();
  await restore();

  expect(await recoverHolds(since, '--write')).toContain('Nothing is missing.');
  await start();
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE', 'PAUSED', 'ACTIVE');
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  expect(await changesOf(simulators, who.campaignIds[2] ?? '')).toEqual([]);
  // A session that was ended after the backup would be valid again.
  expect(
    (await new PersonOverHttp(product.url, who.person.token).call('GET', '/api/ad-accounts')).status,
  ).toBe(401);
});

test('the status of the backup resumes nothing until a status has been read', async () => {
  await start();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  await product.close();
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

test('what was resumed after the backup is not taken for a hand when the holds are recovered', async () => {
  await start();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED');
  await settled(who, 1);
  await product.close();
  const since = await backUp();
  await start();
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE');
  await settled(who, 0);
  await product.close();
  await restore();

  expect(await recoverHolds(since)).toMatch(/^missing .* resumed .*\n1 are missing, 0 were written/);
  expect(await recoverHolds(since, '--write')).toContain('1 are missing, 1 were written');
  expect(await recoverHolds(since)).toContain('Nothing is missing.');
  await start();
  await settled(who, 0);
  expect(await eventsOf(who, 0)).toEqual(['paused', 'resumed']);
  const { setting } = await product.app.db
    .selectFrom('smart_pause')
    .select('setting')
    .executeTakeFirstOrThrow();
  expect(setting).toBe('ON');
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
});

test('what was paused after the backup is found in the log of Meta, and resumed: nothing is stranded', async () => {
  await start();
  const who = await newAdvertiser({
    ...{ product, simulators, on: 3 },
    campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'],
  });
  const [, theirs = '', , off = ''] = who.campaignIds;
  await product.close();
  const since = await backUp();
  await start();
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 2);
  await product.close();
  // A hand resumes and pauses it in Ads Manager: this pause is theirs.
  await simulators.graph.post(`/campaigns/${theirs}`, { status: 'ACTIVE' });
  await simulators.graph.post(`/campaigns/${theirs}`, { status: 'PAUSED' });
  await restore();

  const told = await recoverHolds(since, '--write');
  expect(told).toMatch(/^written .* paused .*\n1 are missing, 1 were written/);
  await start();
  await settled(who, 1);
  expect(await eventsOf(who, 0)).toEqual(['paused']);
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 0);
  expect(await eventsOf(who, 0)).toEqual(['paused', 'resumed']);
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  expect(await changesOf(simulators, off)).toEqual([]);
});
