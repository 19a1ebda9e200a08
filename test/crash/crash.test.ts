import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { FreshDatabase } from '../support/database.ts';
import { freshDatabase } from '../support/database.ts';
import type { Advertiser } from '../support/product.ts';
import { freePort } from '../../scripts/outside/free-port.ts';
import { changesOf, KEY_OF_TESTS, newAdvertiser, waitForStatuses } from '../support/product.ts';
import type { CrashPoint } from './child.ts';
import { CrashingProduct } from './process.ts';
import { writeDocuments } from '../support/web-folder.ts';

const INTENT = 'for share of lane';
const OUTCOME = '^commit after(?!.*for share of lane).*update hold set';
const RELEASE = 'update lane set lease_owner = null';

type Moment = CrashPoint | { fault: 'hang_before' | 'hang_after' };

const MOMENTS: [title: string, moment: Moment][] = [
  ['with the lane claimed', { statement: '^\\s*update lane set lease_owner = \\$1', when: 'after' }],
  ['before the intent is written', { statement: INTENT, when: 'before' }],
  ['with the intent written and not committed', { statement: `^commit after.*${INTENT}`, when: 'before' }],
  ['with the intent committed', { statement: `^commit after.*${INTENT}`, when: 'after' }],
  ['with the call on its way', { fault: 'hang_before' }],
  ['with the call carried out and not answered', { fault: 'hang_after' }],
  ['with the outcome written and not committed', { statement: OUTCOME, when: 'before' }],
  ['with the outcome committed', { statement: OUTCOME, when: 'after' }],
  ['before the lane is given back', { statement: RELEASE, when: 'before' }],
  ['with the lane given back', { statement: `^commit after.*${RELEASE}`, when: 'after' }],
];
describe('killed and started again', () => {
  let simulators: Simulators;
  let product: CrashingProduct;
  let folder: string;
  let url: string;
  let database: FreshDatabase;
  let reader: pg.Client;

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    folder = await mkdtemp(join(tmpdir(), 'smartpause-crash-'));
    await writeDocuments(folder);
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    database = await freshDatabase();
    reader = new pg.Client(database.url);
    await reader.connect();
    product = new CrashingProduct({
      ...simulators.environment,
      PORT: port,
      PUBLIC_URL: url,
      WEB_FOLDER: folder,
      STATUS_POLL_SECONDS: '0.1',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: KEY_OF_TESTS,
    });
  });
  afterAll(async () => {
    await product.kill();
    await simulators.stop();
    await reader.end();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function readRows(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    return (await reader.query<Record<string, unknown>>(text, values)).rows;
  }

  /** Lets the story come to the moment, kills the product there, and starts it again. */
  async function killedAt(moment: Moment, who: Advertiser, go: () => Promise<unknown>): Promise<void> {
    if ('statement' in moment) {
      await product.dieAt(moment);
      await go();
      await product.death();
      await product.start();
      return;
    }
    const match = { method: 'POST', user: who.userId };
    const fault = await simulators.graph.fault({ kind: moment.fault, match, applyOnRelease: true });
    await go();
    await waitFor('the call to hang', async () => (await simulators.graph.parked(fault)) === 1);
    await product.kill();
    await product.start();
    await simulators.graph.ask('DELETE', `/faults/${fault}`);
  }

  async function settled(who: Advertiser, events: number): Promise<void> {
    await waitFor(`${events} acts to be told`, async () => {
      const rows = await readRows('select 1 from activity where account_id = $1 and hold_id is not null', [
        who.accountId,
      ]);
      return rows.length >= events;
    });
  }

  test.each(MOMENTS)('[ENG-14] %s: nothing is lost and nothing doubled', async (_title, moment) => {
    for (const phase of ['pause', 'resume'] as const) {
      await simulators.status.reports('Resolved');
      await product.startUnlessRunning();
      const campaigns = ['ACTIVE', 'ACTIVE', 'PAUSED'] as const;
      const who = await newAdvertiser({ product: { url }, simulators, campaigns: [...campaigns] });

      const outage = () => simulators.status.reports('High disruptions');
      if (phase === 'pause') await killedAt(moment, who, outage);
      else await outage();
      await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED', 'PAUSED']);
      await settled(who, 2);

      const recovery = () => simulators.status.reports('Resolved');
      if (phase === 'resume') await killedAt(moment, who, recovery);
      else await recovery();
      await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'ACTIVE', 'PAUSED']);
      await settled(who, 4);
      await waitFor('nothing to be held any more', async () => {
        const { status } = await who.person.get<{ status: { resumeAt: string | null } }>('/api/user/status');
        return status.resumeAt === null;
      });
      await expectNothingLostOrDoubled(who);
    }
  });

  async function expectNothingLostOrDoubled(who: Advertiser): Promise<void> {
    const [first = '', second = '', third = ''] = who.campaignIds;
    expect(await changesOf(simulators, first)).toEqual(['PAUSED', 'ACTIVE']);
    expect(await changesOf(simulators, second)).toEqual(['PAUSED', 'ACTIVE']);
    expect((await simulators.graph.writes()).filter(({ campaign }) => campaign === third)).toEqual([]);
    const holds = await readRows(
      `select campaign_id, case when resumed_at is null then outcome else 'resumed' end as outcome from hold
       where account_id = $1 order by campaign_id`,
      [who.accountId],
    );
    expect(holds).toEqual([
      { campaign_id: first, outcome: 'resumed' },
      { campaign_id: second, outcome: 'resumed' },
    ]);
    const told = await readRows(
      'select event from activity where account_id = $1 and hold_id is not null order by event',
      [who.accountId],
    );
    expect(told.map(({ event }) => event)).toEqual(['paused', 'paused', 'resumed', 'resumed']);
  }
});
