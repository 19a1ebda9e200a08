import { afterEach } from 'vitest';
import type { Selectable } from 'kysely';
import { waitFor } from '../scripts/outside/wait-for.ts';
import type { Schema } from '../src/server/db/schema.ts';
import type { Engine } from './database.ts';
import type { Advertiser } from './product.ts';
import { statusesOf, waitForStatuses } from './product.ts';
import type { Suite } from './suite.ts';
import { startSuite } from './suite.ts';

export interface EngineSuite extends Suite {
  /** The page reports this, and the product has taken notice. */
  report: (phrase: string, level: string) => Promise<void>;
  known: (level: string) => Promise<void>;
  statuses: (who: Advertiser) => Promise<(string | undefined)[]>;
  become: (who: Advertiser, expected: string[]) => Promise<void>;
  laneOf: (accountId: string) => Promise<Selectable<Schema['lane']>>;
  holdsOf: (accountId: string) => Promise<Selectable<Schema['hold']>[]>;
  /** Nobody is working on the account, nothing there is due, and the status has been read since. */
  atRest: (who: Pick<Advertiser, 'accountId'>) => Promise<void>;
}

/** To be called where tests are described; after each test the platform is well again. */
export function engineSuite(engine: Engine): EngineSuite {
  const suite = startSuite(engine);

  afterEach(async () => {
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.simulators.status.ask('DELETE', '/faults');
    await suite.simulators.graph.post('/limits', { tier: 'standard_access' });
    await report('Resolved', 'UP');
  });

  const platformStatus = () =>
    suite.product.app.db
      .selectFrom('platform_status')
      .select(['effective', 'checked_at'])
      .executeTakeFirstOrThrow();

  async function report(phrase: string, level: string): Promise<void> {
    await suite.simulators.status.reports(phrase);
    await known(level);
  }

  async function known(level: string): Promise<void> {
    await waitFor(`the status to be ${level}`, async () => (await platformStatus()).effective === level);
  }

  const laneOf = (accountId: string) =>
    suite.product.app.db
      .selectFrom('lane')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();

  return Object.assign(suite, {
    report,
    known,
    statuses: (who: Advertiser) => statusesOf(suite.simulators, who.campaignIds),
    become: (who: Advertiser, expected: string[]) =>
      waitForStatuses(suite.simulators, who.campaignIds, expected),
    laneOf,
    holdsOf: (accountId: string) =>
      suite.product.app.db
        .selectFrom('hold')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute(),
    atRest: async ({ accountId }: Pick<Advertiser, 'accountId'>) => {
      await waitFor('the account to be at rest', async () => {
        const lane = await laneOf(accountId);
        const { checked_at } = await platformStatus();
        const now = suite.product.clock.now();
        const due = Math.max(lane.next_due_at?.getTime() ?? Infinity, lane.blocked_until?.getTime() ?? 0);
        return lane.lease_until === null && due > now && now - (checked_at?.getTime() ?? 0) < 5000;
      });
    },
  });
}
