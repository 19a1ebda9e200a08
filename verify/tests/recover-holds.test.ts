import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import { ROOT } from '../../scripts/run.ts';
import { LATE_WRITE_MS } from '../../src/core/reconciler/hold.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { freshDatabase, silentLog, type FreshDatabase } from '../../test/support/database.ts';
import { startSimulators, type LocalSimulators } from '../../test/support/simulators.ts';
import {
  changesOf,
  KEY_OF_TESTS,
  newAdvertiser,
  startProduct,
  waitForStatuses,
  type Advertiser,
  type TestProduct,
} from '../../test/support/product.ts';

let simulators: LocalSimulators;
let server: FreshDatabase;
let product: TestProduct;

beforeAll(async () => {
  simulators = await startSimulators();
});
afterAll(() => simulators.stop());
beforeEach(async () => {
  server = await freshDatabase();
  // The product opens it by itself at each start.
  await server.disconnect();
  await simulators.status.reports('Resolved');
  await start();
  return async () => {
    await product.close();
    await server.close();
  };
});

async function start(): Promise<void> {
  const database = await openDatabase({ url: server.url, log: silentLog });
  product = await startProduct({ simulators, database });
}

/** While the product is stopped. */
async function onServer(statementsFor: (name: string) => string[]): Promise<void> {
  await product.close();
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  for (const statement of statementsFor(new URL(server.url).pathname.slice(1))) await client.query(statement);
  await client.end();
}

/** @returns the time of the copy */
async function backUp(): Promise<string> {
  await onServer((name) => [`create database ${name}_copy template ${name}`]);
  const at = new Date().toISOString();
  await start();
  return at;
}

const restore = () =>
  onServer((name) => [`drop database ${name} with (force)`, `alter database ${name}_copy rename to ${name}`]);

/** Runs the command like an operator. */
async function recoverHolds(...args: string[]): Promise<string> {
  const own = { PATH: process.env['PATH'], DATABASE_URL: server.url, ENCRYPTION_KEY: KEY_OF_TESTS };
  const command = [join(ROOT, 'scripts/recover-holds.ts'), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { ...own, ...simulators.environment },
  });
  return stdout;
}

/** Waits until this many holds are left, all paused and confirmed. */
async function settled(count: number): Promise<void> {
  await waitFor(`${count} to be held`, async () => {
    const { db } = product.app;
    const holds = await db.selectFrom('holds').select('state').where('state', '<>', 'ended').execute();
    const writes = db.selectFrom('campaignWrites').select('state').where('unansweredUntil', 'is not', null);
    const areConfirmed = (await writes.execute()).length === 0;
    return areConfirmed && holds.length === count && holds.every(({ state }) => state === 'paused');
  });
}

async function report(status: string, who: Advertiser, ...statuses: string[]): Promise<void> {
  await simulators.status.reports(status);
  await waitForStatuses(simulators, who.campaignIds, statuses);
}

const changes = (who: Advertiser) => Promise.all(who.campaignIds.map((id) => changesOf(simulators, id)));

test('a resume after the backup is found, and does not count as an external change', async () => {
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  await report('High disruptions', who, 'PAUSED');
  await settled(1);
  const since = await backUp();
  await report('Resolved', who, 'ACTIVE');
  await settled(0);
  await restore();

  expect(await recoverHolds(since)).toMatch(/^missing .* resumed .*\n1 are missing, 0 were written/);
  expect(await recoverHolds(since, '--write')).toContain('1 are missing, 1 were written');
  expect(await recoverHolds(since)).toContain('Nothing is missing.');
  await start();
  // The restored intents count as unconfirmed until no write can arrive.
  product.clock.advance(LATE_WRITE_MS + 1000);
  await settled(0);
  const smartPause = product.app.db.selectFrom('smartpauseSettings').select('setting');
  expect(await smartPause.executeTakeFirstOrThrow()).toEqual({ setting: 'ON' });
  expect(await changes(who)).toEqual([['PAUSED', 'ACTIVE']]);
  // The restore would make a session valid again that ended after the backup.
  const headers = { authorization: `Bearer ${who.user.token}` };
  expect((await fetch(`${product.url}/api/me`, { headers })).status).toBe(401);
});

test('pauses after the backup are found in the log of Meta and resumed: no campaign stays paused', async () => {
  const who = await newAdvertiser({
    ...{ product, simulators, on: 3 },
    campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'],
  });
  const since = await backUp();
  await report('High disruptions', who, 'PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(2);
  // Resumed and paused in Ads Manager: SmartPause does not own this pause.
  for (const status of ['ACTIVE', 'PAUSED'])
    await simulators.graph.post(`/campaigns/${who.campaignIds[1] ?? ''}`, { status });
  await restore();

  expect(await recoverHolds(since, '--write')).toMatch(
    /^written .* paused .*\n1 are missing, 1 were written/,
  );
  await start();
  product.clock.advance(LATE_WRITE_MS + 1000);
  await settled(1);
  await report('Resolved', who, 'ACTIVE', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(0);
  expect(await changes(who)).toEqual([['PAUSED', 'ACTIVE'], ['PAUSED', 'ACTIVE', 'PAUSED'], [], []]);
});
