import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PersonOverHttp } from '../scripts/outside/person.ts';
import type { Simulators } from '../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../scripts/outside/simulators.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import type { FreshDatabase } from './database.ts';
import { freshDatabase, silentLog } from './database.ts';
import type { Advertiser, TestProduct } from './product.ts';
import { changesOf, KEY_OF_TESTS, newAdvertiser, startProduct, waitForStatuses } from './product.ts';

let folder = '';
let simulators: Simulators;
let server: FreshDatabase;
let product: TestProduct;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'smartpause-backup-'));
  simulators = await startSimulators(SIMULATORS, 'free');
});
afterAll(async () => {
  await simulators.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  server = await freshDatabase('postgresql');
  // The product opens it by itself, as often as it is started.
  await server.pool.end();
});
afterEach(async () => {
  await product.close();
  await simulators.status.reports('Resolved');
  await server.close();
});

/** One of the commands, as an operator would give it. */
async function command(name: string, args: string[] = [], env: Record<string, string> = {}): Promise<string> {
  const script = path.join(import.meta.dirname, `../scripts/${name}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], {
    env: {
      ...{ PATH: process.env['PATH'], DATABASE_URL: server.url, ENCRYPTION_KEY: KEY_OF_TESTS },
      ...simulators.environment,
      ...env,
    },
  });
  return stdout;
}

async function start(place: { url?: string | undefined; dataDir?: string }): Promise<void> {
  const { url, dataDir = folder } = place;
  const database = await openDatabase({ url, dataDir, log: silentLog });
  product = await startProduct({ simulators, database });
}

const onServer = (): Promise<void> => start({ url: server.url });

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

test('what was held in the embedded database is resumed from PostgreSQL, after everything has moved', async () => {
  const dataDir = path.join(folder, 'data');
  await start({ dataDir });
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED'] });
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED', 'PAUSED');
  await settled(who, 1);
  await product.close();

  await command('move-database', [], { DATA_DIR: dataDir });
  await onServer();
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE', 'PAUSED');
  // Whoever was logged in still is.
  expect(
    (await new PersonOverHttp(product.url, who.person.token).call('GET', '/api/ad-accounts')).status,
  ).toBe(200);
});

test('a backup of a running SmartPause, restored: what was held is resumed, and nothing else is touched', async () => {
  await onServer();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'PAUSED', 'ACTIVE'], on: 2 });
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 1);
  const file = path.join(folder, 'running');
  await command('backup', [file]);
  await product.close();

  const told = await command('restore', [file, '--replace']);
  expect(told).toContain('1 campaigns were held then');
  await onServer();
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE', 'PAUSED', 'ACTIVE');
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  expect(await changesOf(simulators, who.campaignIds[2] ?? '')).toEqual([]);
  expect(
    (await new PersonOverHttp(product.url, who.person.token).call('GET', '/api/ad-accounts')).status,
  ).toBe(401);
});

test('what was resumed after the backup is not taken for a hand when the holds are recovered', async () => {
  await onServer();
  const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE'] });
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED');
  await settled(who, 1);
  const file = path.join(folder, 'held');
  const since = new Date().toISOString();
  await command('backup', [file]);
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE');
  await settled(who, 0);
  await product.close();
  await command('restore', [file, '--replace']);

  expect(await command('recover-holds', [since])).toMatch(
    /^missing .* resumed .*\n1 are missing, 0 were written/,
  );
  expect(await command('recover-holds', [since, '--write'])).toContain('1 are missing, 1 were written');
  expect(await command('recover-holds', [since])).toContain('Nothing is missing.');
  await onServer();
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
  await onServer();
  const who = await newAdvertiser({
    ...{ product, simulators, on: 3 },
    campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED', 'ACTIVE'],
  });
  const [, theirs = '', , off = ''] = who.campaignIds;
  const file = path.join(folder, 'before');
  const since = new Date().toISOString();
  await command('backup', [file]);
  await simulators.status.reports('High disruptions');
  await become(who, 'PAUSED', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 2);
  await product.close();
  // A hand resumes and pauses it in Ads Manager: this pause is theirs.
  await simulators.graph.post(`/campaigns/${theirs}`, { status: 'ACTIVE' });
  await simulators.graph.post(`/campaigns/${theirs}`, { status: 'PAUSED' });
  await command('restore', [file, '--replace']);

  const told = await command('recover-holds', [since, '--write']);
  expect(told).toMatch(/^written .* paused .*\n1 are missing, 1 were written/);
  await onServer();
  await settled(who, 1);
  expect(await eventsOf(who, 0)).toEqual(['paused']);
  await simulators.status.reports('Resolved');
  await become(who, 'ACTIVE', 'PAUSED', 'PAUSED', 'ACTIVE');
  await settled(who, 0);
  expect(await eventsOf(who, 0)).toEqual(['paused', 'resumed']);
  expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  expect(await changesOf(simulators, off)).toEqual([]);
});
