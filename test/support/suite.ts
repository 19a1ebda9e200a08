import type { Selectable } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { Schema } from '../../src/server/db/schema.ts';
import type { FreshDatabase } from './database.ts';
import { freshDatabase } from './database.ts';
import type { Advertiser } from './product.ts';
import { newAdvertiser, statusesOf } from './product.ts';
import type { World, WorldOptions } from './world.ts';
import { startWorld } from './world.ts';

export type Wishes = Omit<Parameters<typeof newAdvertiser>[0], 'product' | 'simulators'>;

/** The world of one test suite. */
export interface Suite extends Omit<World, 'close'> {
  database: FreshDatabase;
  advertiser: (wishes: Wishes) => Promise<Advertiser>;
  /** Waits until the product has the level. */
  known: (level: string) => Promise<void>;
  /** Sets the status page and waits until the product has the level. */
  report: (phrase: string, level: string) => Promise<void>;
  /** Sets the status page to a lower level and reads it once, in a turn; with the next one the level falls. */
  reportOnce: (phrase: string) => Promise<void>;
  /** The statuses of the advertiser's campaigns on Meta. */
  statuses: (who: Pick<Advertiser, 'campaignIds'>) => Promise<(string | undefined)[]>;
  /** Waits for these statuses. */
  become: (who: Pick<Advertiser, 'campaignIds'>, expected: readonly string[]) => Promise<void>;
  /** The user's row; undefined once the user is deleted. */
  rowOf: (who: Pick<Advertiser, 'userId'>) => Promise<Selectable<Schema['users']> | undefined>;
}

/** Call it inside `describe`: everything starts before its tests and stops after them. */
export function startSuite(options: Omit<WorldOptions, 'database'> = {}): Suite {
  let world: World | undefined;
  let database: FreshDatabase;

  beforeAll(async () => {
    database = await freshDatabase();
    world = await startWorld({ isStepped: true, ...options, database });
  });
  afterAll(() => world?.close());

  const running = (): World => {
    if (world === undefined) throw new Error('the world runs during tests only');
    return world;
  };

  const isKnown = async (level: string): Promise<boolean> => {
    const status = running().product.app.db.selectFrom('platformStatus').select('effectiveLevel');
    return (await status.executeTakeFirstOrThrow()).effectiveLevel === level;
  };
  async function known(level: string): Promise<void> {
    let looks = 0;
    await running().until(`the level ${level}`, async () => {
      if (await isKnown(level)) return true;
      if (options.isStepped !== false && looks++ > 0) await nextDate();
      return false;
    });
  }
  let pageAheadMs = 0;
  /** A level falls with two readings whose files carry different dates, and these count seconds. Meta's clock stays. */
  async function nextDate(): Promise<void> {
    const { product, simulators } = running();
    product.clock.advance(1000);
    pageAheadMs += 1000;
    await simulators.status.post('/clock', { offsetMs: pageAheadMs });
  }

  return {
    get simulators() {
      return running().simulators;
    },
    get product() {
      return running().product;
    },
    turn: () => running().turn(),
    until: (title, look) => running().until(title, look),
    amid: (title, look) => running().amid(title, look),
    advance: async (ms) => {
      await running().advance(ms);
      pageAheadMs = running().product.clock.now() - Date.now();
    },
    restart: (more) => running().restart(more),
    get database() {
      return database;
    },
    known,
    report: async (phrase, level) => {
      await running().simulators.status.reports(phrase);
      await known(level);
    },
    reportOnce: async (phrase) => {
      await running().simulators.status.reports(phrase);
      await running().turn();
      await nextDate();
    },
    statuses: ({ campaignIds }) => statusesOf(running().simulators, campaignIds),
    become: async (who, expected) => {
      const { simulators, until } = running();
      await until(`campaigns to be ${expected.join(', ')}`, async () => {
        const current = await statusesOf(simulators, who.campaignIds);
        return JSON.stringify(current) === JSON.stringify(expected);
      });
    },
    advertiser: (wishes) => {
      const { product, simulators } = running();
      return newAdvertiser({ ...wishes, product, simulators });
    },
    rowOf: ({ userId }) =>
      running()
        .product.app.db.selectFrom('users')
        .selectAll()
        .where('platformUserId', '=', userId)
        .executeTakeFirst(),
  };
}
