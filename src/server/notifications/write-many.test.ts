import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seconds } from '#core/time.ts';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { plantRows } from '../../../test/support/population.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { systemClock } from '../clock.ts';
import type { ActivityEvent } from '#core/events.ts';
import { recordActivities } from '../db/activities.ts';
import type { Db } from '../db/database.ts';
import { createDb, inTransaction } from '../db/database.ts';
import { addDestination } from '../db/destinations.ts';
import { lockUser } from '../db/users/users.ts';
import { createTokenCipher } from '../secrets.ts';
import type { Channels } from './channels/channels.ts';
import { startOutboxWorker } from './outbox-worker.ts';

const USERS = 60;
const LEVEL = { level: 'HIGH_DISRUPTION', threshold: 'MEDIUM' } as const;
const PAUSED = { event: 'paused', facts: { ...LEVEL, isOverride: false, wasTest: false } } as const;
const RESUMED = { event: 'resumed', facts: { ...LEVEL, isLeaving: false } } as const;
const END = { reason: 'resumed_outside', refusal: null, outside: null, wasPaused: true } as const;
const TURNED_OFF = { event: 'deactivated', facts: END } as const;
const cipher = createTokenCipher([KEY_OF_TESTS]);

describe('notifications of many users', () => {
  let database: FreshDatabase;
  let db: Db;
  let statements: string[] = [];
  let errors: unknown[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    db = createDb(database.pool);
    await plantRows(db, { users: USERS, accountsEach: 1, campaignsEach: 1 }, new Date());
    await sql`insert into outages (started_at, peak, levels) values (now() - interval '1 hour', 'HIGH_DISRUPTION', '[]')`.execute(
      db,
    );
    await sql`update platform_status set effective_level = 'HIGH_DISRUPTION', known_level = 'HIGH_DISRUPTION'`.execute(
      db,
    );
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, paused_at)
      select user_id, account_id, campaign_id, 'paused', 'MEDIUM', 'HIGH_DISRUPTION', now(), now(), now()
      from smartpause_settings`.execute(db);
    await sql`update campaigns set status = 'PAUSED'`.execute(db);
    const target = { url: 'https://pagerduty.example' };
    const pager = { kind: 'pagerduty', name: '', target, events: ['paused'], verifiedAt: null } as const;
    for (let user = 1; user <= USERS; user += 2)
      await addDestination(db, cipher, { userId: String(user), ...pager }, 0);
  });
  beforeEach(() => {
    [statements, errors] = [[], []];
  });
  afterAll(() => database.close());

  /** It is due for the campaigns of these users. */
  async function happens(event: ActivityEvent, users: readonly number[]): Promise<void> {
    const held = await db.selectFrom('holds').selectAll().where('userId', 'in', users.map(String)).execute();
    const activities = held.map(({ id, userId, accountId, campaignId }) => ({
      ...{ ...event, userId, accountId, actor: 'smartpause' as const },
      campaign: { id: campaignId, name: `Campaign of ${userId}`, holdId: id },
    }));
    await recordActivities(db, activities, Date.now() - seconds(11));
  }

  /** Writes all that waits, and sends nothing without a channel. */
  async function write(channels: Partial<Channels> = {}): Promise<void> {
    const pool: PostgresPool = {
      ...{ options: database.pool.options, end: () => Promise.resolve() },
      async connect() {
        const client = await database.pool.connect();
        const query = (text: string, values: readonly unknown[]) => {
          statements.push(text);
          return client.query(text, [...values]);
        };
        return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() };
      },
    };
    const log = { ...silentLog, debug: () => undefined, error: (facts: unknown) => errors.push(facts) };
    const own = { db: createDb(pool), cipher, clock: systemClock, log, channels: channels as Channels };
    await startOutboxWorker({ ...own, publicUrl: 'https://smartpause.example', isStepped: true }).run();
  }

  const writtenTo = async (...users: number[]) => {
    const own = db.selectFrom('notifications').select(['userId', 'kind', 'subject']).orderBy('id');
    return own.where('userId', 'in', users.map(String)).execute();
  };

  test('50 take as many statements as one, and each gets its own', async () => {
    const others = Array.from({ length: 50 }, (_one, index) => index + 2);
    const counts = [];
    for (const users of [[1], others]) {
      await happens(PAUSED, users);
      statements = [];
      await write();
      counts.push(statements.length);
    }
    // One for what the former version wrote, four that look for due ones, and those of one transaction.
    expect(counts).toEqual([26, 26]);
    const { rows } =
      await sql`select n.user_id, message::text like '%Campaign of ' || n.user_id || '"%' as "isOwn",
        (select count(*)::int from activities act where act.notification_id = n.id and act.user_id = n.user_id) as acts,
        array_agg(coalesce(deliveries.to_address, d.kind) order by deliveries.id) as recipients,
        (select count(*)::int from incidents join destinations on destinations.id = destination_id where user_id = n.user_id) as incidents
      from notifications n join deliveries on notification_id = n.id left join destinations d on d.id = destination_id
      group by n.id order by n.id`.execute(db);
    expect(rows).toEqual(
      [1, ...others].map((user) => ({
        ...{ userId: String(user), isOwn: true, acts: 1, incidents: user % 2 },
        recipients: [`user${user - 1}@example.com`, ...(user % 2 === 1 ? ['pagerduty'] : [])],
      })),
    );
  });

  test('a user whom another transaction has locked delays no other one, and follows', async () => {
    await happens(PAUSED, [52, 53]);
    await inTransaction(db, async (tx) => {
      await lockUser(tx, '52');
      await write();
    });
    expect(await writtenTo(52, 53)).toMatchObject([{ userId: '53' }]);
    await write();
    expect(await writtenTo(52, 53)).toMatchObject([{ userId: '53' }, { userId: '52' }]);
  });

  test('what cannot be written delays no other one', async () => {
    await happens(PAUSED, [54, 55]);
    await sql`alter table notifications add constraint own check (user_id <> 54)`.execute(db);
    await write();
    expect(await writtenTo(54, 55)).toMatchObject([{ userId: '55' }]);
    expect(errors).toMatchObject([{ user: '54', kind: 'paused' }]);
    await sql`alter table notifications drop constraint own`.execute(db);
  });

  test('those of a user are written in their order: what a resume reports is in no other one', async () => {
    await happens(TURNED_OFF, [56, 57]);
    await happens(RESUMED, [57]);
    await write();
    const kinds = (await writtenTo(56, 57)).map(({ userId, kind }) => `${userId} ${kind}`);
    expect(kinds).toEqual(['57 resumed', '56 disabled']);
    const pending = db.selectFrom('activities').select('id').where('pendingNotification', 'is not', null);
    expect(await pending.where('userId', 'in', ['56', '57']).execute()).toEqual([]);
  });

  test('a delivery takes three statements: it is claimed, its attempt is stored, its notification is closed', async () => {
    const open = db
      .selectFrom('deliveries')
      .select('id')
      .where('channel', '=', 'email')
      .where('dueAt', 'is not', null);
    const count = (await open.execute()).length;
    expect(count).toBeGreaterThan(50);
    await write({ email: { target: z.unknown(), atOnce: 1, send: () => Promise.resolve({ ok: true }) } });
    expect(await open.execute()).toEqual([]);
    expect(statements.length).toBeLessThan(3 * count + 10);
  });
});
