import { execFile } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { UserOverHttp } from '../../scripts/outside/user.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
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

test('names what cannot be read, and does not count it as written', async () => {
  await start();
  const lost = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  const plain = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  const since = new Date().toISOString();
  await simulators.status.reports('High disruptions');
  for (const who of [lost, plain]) {
    await become(who, 'PAUSED');
    await settled(who, 1);
  }
  // A restored database has no record of these pauses.
  const { db } = product.app;
  await db.deleteFrom('hold').execute();
  await db.updateTable('ad_account').set({ lost_at: new Date() }).where('id', '=', lost.accountId).execute();
  await stop();

  const unread = `NOT READ: ${lost.accountId}, Meta refuses access to every user of SmartPause. Check it manually.`;
  const { code, out, err } = await runRecovery(since, '--write');
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toContain(`1 are missing, 1 were written.\n${unread}`);
  const again = await runRecovery(since);
  expect([again.code, again.out]).toEqual([1, `Nothing is missing where Meta could be asked.\n${unread}\n`]);
});
