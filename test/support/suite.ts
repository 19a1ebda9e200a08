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

  async function known(level: string): Promise<void> {
    await running().until(`the level ${level}`, async () => {
      const status = running().product.app.db.selectFrom('platformStatus').select('effectiveLevel');
      return (await status.executeTakeFirstOrThrow()).effectiveLevel === level;
    });
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
    advance: (ms) => running().advance(ms),
    restart: (more) => running().restart(more),
    get database() {
      return database;
    },
    known,
    report: async (phrase, level) => {
      await running().simulators.status.reports(phrase);
      await known(level);
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
