import { randomInt } from 'node:crypto';
import { afterEach } from 'vitest';
import type { Selectable } from 'kysely';
import type { PersonOverHttp } from '../../scripts/outside/person.ts';
import { signIn } from '../../scripts/outside/person.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Schema } from '../../src/server/db/schema.ts';
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
  /** Everything held is confirmed, and nobody is at work on it. */
  settled: (who: Pick<Advertiser, 'accountId'>) => Promise<void>;
  /** Paused for an outage, settled, and nobody at work on it. */
  heldAdvertiser: (options?: Partial<Parameters<Suite['advertiser']>[0]>) => Promise<Advertiser>;
  /** Somebody else with access to the same ad account, set up and with SmartPause off. */
  colleagueOf: (who: Pick<Advertiser, 'accountId'>) => Promise<Colleague>;
}

interface Colleague {
  person: PersonOverHttp;
  userId: string;
}

/** To be called where tests are described; after each test the platform is well again. */
export function engineSuite(): EngineSuite {
  const suite = startSuite();

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

  const holdsOf = (accountId: string) =>
    suite.product.app.db
      .selectFrom('hold')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();

  async function atRest({ accountId }: Pick<Advertiser, 'accountId'>): Promise<void> {
    await waitFor('the account to be at rest', async () => {
      const lane = await laneOf(accountId);
      const { checked_at } = await platformStatus();
      const now = suite.product.clock.now();
      const due = Math.max(lane.next_due_at?.getTime() ?? Infinity, lane.blocked_until?.getTime() ?? 0);
      return lane.lease_until === null && due > now && now - (checked_at?.getTime() ?? 0) < 5000;
    });
  }

  async function colleagueOf({ accountId }: Pick<Advertiser, 'accountId'>): Promise<Colleague> {
    const userId = `7100${randomInt(1e9, 1e10)}`;
    const account = { id: accountId, name: 'An account', currency: 'USD', campaigns: [] };
    await suite.simulators.graph.post('/seed', {
      users: [{ id: userId, name: 'Colleague', accounts: [account] }],
    });
    const person = await signIn(suite.product.url, userId);
    await person.subscribe(suite.simulators.stripe);
    const email = `colleague${userId}@example.com`;
    await person.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email });
    await person.get('/api/ad-accounts');
    await person.get(`/api/campaigns/${accountId}`);
    return { person, userId };
  }

  const become = (who: Advertiser, expected: string[]) =>
    waitForStatuses(suite.simulators, who.campaignIds, expected);

  async function settled(who: Pick<Advertiser, 'accountId'>): Promise<void> {
    await waitFor('the pauses to be settled', async () =>
      (await holdsOf(who.accountId)).every(({ state, in_doubt }) => state === 'paused' && !in_doubt),
    );
    await atRest(who);
  }

  return Object.assign(suite, {
    report,
    known,
    statuses: (who: Advertiser) => statusesOf(suite.simulators, who.campaignIds),
    become,
    laneOf,
    holdsOf,
    atRest,
    colleagueOf,
    settled,
    heldAdvertiser: async (options: Partial<Parameters<Suite['advertiser']>[0]> = {}) => {
      const who = await suite.advertiser({ campaigns: ['ACTIVE'], ...options });
      await report('High disruptions', 'HIGH_DISRUPTION');
      await become(
        who,
        who.campaignIds.map(() => 'PAUSED'),
      );
      await settled(who);
      return who;
    },
  });
}
