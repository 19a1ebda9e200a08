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
import { changesOf, newAdvertiser, waitForStatuses } from '../support/product.ts';
import type { CrashPoint } from './child.ts';
import { CrashingProduct } from './process.ts';
import { writeDocuments } from '../support/web-folder.ts';

type Moment = CrashPoint | { fault: 'hang_before' | 'hang_after'; method: 'POST' | 'DELETE' };

const MARKED = '^commit after.*set "leaving" =';
const FORGOTTEN = '^commit after.*delete from "(platform_token|person)"';

const MOMENTS: [title: string, moment: Moment][] = [
  ['with the wish written and not committed', { statement: MARKED, when: 'before' }],
  ['with the wish committed', { statement: MARKED, when: 'after' }],
  ['with the resume on its way', { fault: 'hang_before', method: 'POST' }],
  ['with the resume done and not answered', { fault: 'hang_after', method: 'POST' }],
  ['with the revocation on its way', { fault: 'hang_before', method: 'DELETE' }],
  ['with the revocation done and not answered', { fault: 'hang_after', method: 'DELETE' }],
  ['with everything forgotten and not committed', { statement: FORGOTTEN, when: 'before' }],
  ['with everything forgotten', { statement: FORGOTTEN, when: 'after' }],
];

/** The two ways differ from the revocation on. */
const FROM_REVOCATION = MOMENTS.slice(4);

describe.each([
  ['deauthorize', '[API-07, ENG-14]', /no longer has access/, FROM_REVOCATION],
  ['delete', '[API-08, ENG-14]', /account is deleted/, MOMENTS],
] as const)('%s, killed and started again', (how, id, farewell, moments) => {
  let simulators: Simulators;
  let product: CrashingProduct;
  let database: FreshDatabase;
  let reader: pg.Client;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    folder = await mkdtemp(join(tmpdir(), 'smartpause-leave-'));
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
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url,
      WEB_FOLDER: folder,
      STATUS_POLL_SECONDS: '0.1',
      LOG_LEVEL: 'silent',
    });
  });
  afterAll(async () => {
    await product.kill();
    await simulators.stop();
    await reader.end();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function killedAt(moment: Moment, who: Advertiser, go: () => Promise<unknown>): Promise<void> {
    if ('statement' in moment) {
      await product.dieAt(moment);
      await Promise.all([go().catch(() => undefined), product.death()]);
      await startAgain();
      return;
    }
    const match = { method: moment.method, user: who.userId };
    const fault = await simulators.graph.fault({ kind: moment.fault, match, applyOnRelease: true });
    const going = go().catch(() => undefined);
    await waitFor('the call to hang', async () => (await simulators.graph.parked(fault)) === 1);
    await product.kill();
    await going;
    await startAgain();
    await simulators.graph.ask('DELETE', `/faults/${fault}`);
  }

  /** Later than the leases of mails last, which are minutes: what was being sent at the end can be sent again. */
  async function startAgain(): Promise<void> {
    await reader.query('update mail set lease_until = null');
    await product.start();
  }

  async function personRow(who: Advertiser): Promise<{ leaving: string | null; id: string } | undefined> {
    const { rows } = await reader.query<{ leaving: string | null; id: string }>(
      'select id, leaving from person where platform_user_id = $1',
      [who.userId],
    );
    return rows[0];
  }

  async function isForgotten(who: Advertiser): Promise<boolean> {
    const row = await personRow(who);
    if (how === 'delete') return row === undefined;
    const { rowCount } = await reader.query('select from platform_token where person_id = $1', [row?.id]);
    return row?.leaving === null && rowCount === 0;
  }

  test.each(moments)(
    `${id} %s: what is held is given back, the permission revoked, then all forgotten`,
    async (_title, moment) => {
      await simulators.status.reports('Resolved');
      await product.startUnlessRunning();
      const who = await newAdvertiser({
        product: { url },
        simulators,
        campaigns: ['ACTIVE', 'PAUSED'],
        resume: { mode: 'next_day' },
      });
      await simulators.status.reports('High disruptions');
      await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
      await waitFor('the hold to be settled', async () => {
        const { rows } = await reader.query(`select from hold where account_id = $1 and state = 'paused'`, [
          who.accountId,
        ]);
        return rows.length === 1;
      });

      await killedAt(moment, who, () => who.person.call('POST', `/api/account/${how}`));
      // A wish that was never written is simply said again; every other goes on by itself.
      if ((await personRow(who))?.leaving === null && !(await isForgotten(who))) {
        await who.person.post(`/api/account/${how}`);
      }
      // A pause whose answer came too late is watched for a minute, so that it overtakes no resume.
      await waitFor('everything to be forgotten', () => isForgotten(who), 120_000);

      const [held = '', untouched = ''] = who.campaignIds;
      expect(await changesOf(simulators, held)).toEqual(['PAUSED', 'ACTIVE']);
      expect(await changesOf(simulators, untouched)).toEqual([]);
      const { users } = await simulators.graph.ask<{ users: { id: string; permissions: object }[] }>(
        'GET',
        '/state',
      );
      expect(users.find((user) => user.id === who.userId)?.permissions).toEqual({});
      await simulators.mailbox.waitFor(who.email, farewell);
      const { rowCount } = await reader.query('select from session where person_id = $1', [
        (await personRow(who))?.id,
      ]);
      expect(rowCount).toBe(0);
    },
  );
});
