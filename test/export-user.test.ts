import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportUser } from '../scripts/export-user.ts';
import { ROOT } from '../scripts/run.ts';
import { addDestination } from '../src/server/db/destinations.ts';
import { addEmailLink } from '../src/server/db/users/email-links.ts';
import { storeNotification } from '../src/server/db/notifications.ts';
import { createTokenCipher, fingerprintsOfUser } from '../src/server/secrets.ts';
import type { Advertiser } from './support/product.ts';
import { saveLook } from '../src/server/db/delivery.ts';
import { insertWord } from '../src/server/db/signals.ts';
import { KEY_OF_TESTS } from './support/product.ts';
import { startSuite } from './support/suite.ts';

/** They name no user and no ad account. A new table is exported, or belongs here. */
const WITHOUT_USER = [
  ...['account_wakes', 'app_state', 'kysely_migration', 'kysely_migration_lock', 'login_attempts'],
  // For an hour, by business; then only sums are left.
  ...['call_minutes', 'call_votes', 'detection'],
  ...['outages', 'platform_status', 'status_files', 'status_observations', 'status_reads'],
];

const CIPHER = createTokenCipher([KEY_OF_TESTS]);

type Export = Record<string, Record<string, unknown>[]>;

describe('export-user', () => {
  // Role `web`: no background work changes a row while it is compared.
  const suite = startSuite({ environment: { ROLE: 'web' } });
  let maya: Advertiser;
  let omar: Advertiser;

  beforeAll(async () => {
    maya = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    omar = await suite.advertiser({ campaigns: ['ACTIVE'], on: 1 });
    for (const who of [maya, omar]) await plantOutage(who);
  });

  /** The rows that only an outage, an email or Meta's deletion request would leave. */
  async function plantOutage(who: Advertiser): Promise<void> {
    const { db } = suite.product.app;
    const userId = (await suite.rowOf(who))?.id ?? '';
    const at = new Date(suite.product.clock.now());
    const campaign = { accountId: who.accountId, campaignId: who.campaignIds[0] ?? '' };
    await db
      .insertInto('holds')
      .values({
        ...{ userId, ...campaign, state: 'pausing', threshold: 'LOW', level: 'LOW_DISRUPTION' },
        ...{ decidedAt: at, readAt: at },
      })
      .execute();
    await insertWord(db, { userId, until: null }, at.getTime());
    await db
      .insertInto('campaignWrites')
      .values({
        ...{ userId, ...campaign, origin: 'hold', requestedAt: at, target: 'PAUSED', state: 'open' },
        ...{ statusBefore: 'ACTIVE', refusals: 0, failures: 0 },
      })
      .execute();
    await db
      .insertInto('manualChanges')
      .values({ userId, ...campaign, status: 'PAUSED', requestedAt: at })
      .execute();
    await sql`insert into campaign_spend (campaign_id, day, month, read_at)
      values (${campaign.campaignId}, '2026-01-08', 1, ${at})`.execute(db);
    const look = {
      at: at.getTime(),
      day: '2026-01-08',
      campaigns: { [campaign.campaignId]: [100, 9] as const },
    };
    await saveLook(db, who.accountId, look);
    const change = { userId, action: 'pause' as const, startedAt: at, campaignIds: [campaign.campaignId] };
    const parts = { manualChangeIds: [null], holdIds: [null], failures: [null], messages: [null] };
    await db
      .insertInto('campaignChanges')
      .values({ ...change, ...parts })
      .execute();
    const destination = { kind: 'slack', name: 'Team', target: { url: 'https://slack.example' } } as const;
    const wanted = { userId, events: [], verifiedAt: null };
    const destinationId = await addDestination(db, CIPHER, { ...destination, ...wanted }, at.getTime());
    const recipients = [{ channel: 'slack', toAddress: null, destinationId } as const];
    const notification = { userId, kind: 'paused', message: { subject: 'Paused' }, activityIds: [] } as const;
    await storeNotification(db, { ...notification, recipients }, at.getTime());
    await db.insertInto('incidents').values({ destinationId, about: 'outage-1', since: at }).execute();
    const link = { userId, destinationId, address: 'team@example.com' };
    await addEmailLink(db, link, at.getTime());
    const outage = { startedAt: at, endedAt: at, peak: 'HIGH_DISRUPTION', levels: '[]' } as const;
    const { id } = await db.insertInto('outages').values(outage).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('outageUsers')
      .values({ outageId: id, userId, threshold: 'LOW', reason: null, notPaused: '{}' })
      .execute();
    await db
      .insertInto('outageEstimates')
      .values({ outageId: id, userId, currency: 'USD', estimate: '{}', computedAt: at })
      .execute();
    const [platformUserHash] = fingerprintsOfUser(CIPHER, who.userId);
    await db
      .insertInto('deletionRequests')
      .values({ code: who.userId, platformUserHash, requestedAt: at, superseded: true })
      .execute();
  }

  async function command(asked: string): Promise<string> {
    const settings = { DATABASE_URL: suite.database.url, ENCRYPTION_KEY: KEY_OF_TESTS };
    const options = { cwd: ROOT, env: { PATH: process.env['PATH'], ...settings } };
    return (await promisify(execFile)(process.execPath, ['scripts/export-user.ts', asked], options)).stdout;
  }

  async function exported(asked: string): Promise<Export> {
    return (await exportUser(suite.product.app.db, asked, [KEY_OF_TESTS])) as Export;
  }

  async function rowsOf<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await query.execute(suite.product.app.db)).rows;
  }

  test('prints the rows of the user in every table, and no token, hash or other user', async () => {
    const out = await command(maya.email.toUpperCase());
    const tables = JSON.parse(out) as Export;
    expect(tables).toMatchObject({
      users: [{ platform_user_id: maya.userId, email: maya.email, threshold: 'MEDIUM' }],
      deletion_requests: [{ code: maya.userId }],
      work_items: [{ account_id: maya.accountId }],
    });
    expect(tables['campaigns']).toHaveLength(2);

    const columns = await rowsOf(sql<{ table: string; column: string; type: string }>`
      select table_name as table, column_name as column, data_type as type
      from information_schema.columns where table_schema = 'public'
        and to_regclass(table_name) not in (select inhrelid from pg_inherits)`);
    const all = new Set(columns.map(({ table }) => table));
    expect([...Object.keys(tables), ...WITHOUT_USER].toSorted()).toEqual([...all].toSorted());
    const user = (await suite.rowOf(maya))?.id ?? '';
    for (const { table } of columns.filter(({ column }) => column === 'user_id')) {
      const [stored] = await rowsOf(sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where user_id = ${user}`);
      expect([table, tables[table]?.length]).toEqual([table, stored?.count]);
    }
    for (const { table, column } of columns.filter(({ type }) => type === 'bytea')) {
      const secrets = await rowsOf(sql<{ bytes: string }>`
        select encode(${sql.ref(column)}, 'hex') as bytes from ${sql.table(table)}`);
      for (const { bytes } of secrets) expect(out).not.toContain(bytes);
    }
    for (const word of [maya.user.token, 'EAAB', omar.userId, omar.accountId, omar.email])
      expect(out).not.toContain(word);
  });

  test('prints of an open intent only what belongs to the user, and nothing of an ad account without access', async () => {
    const ids = await Promise.all([maya, omar].map(async (who) => (await suite.rowOf(who))?.id ?? ''));
    const [own = ''] = ids;
    const intent = ids.map((userId) => ({
      campaignId: '1',
      hold: { userId },
      write: { requestedBy: userId },
    }));
    const items = suite.product.app.db.updateTable('workItems').where('accountId', '=', maya.accountId);
    await items.set({ intent: JSON.stringify(intent) }).execute();
    const shown = [{ campaignId: '1', hold: { userId: own }, write: { requestedBy: own } }];
    expect((await exported(maya.userId))['work_items']).toMatchObject([{ intent: shown }]);
    const account = suite.product.app.db.updateTable('adAccounts').where('id', '=', maya.accountId);
    await account.set({ lostAt: new Date() }).execute();
    expect(await exported(maya.userId)).not.toHaveProperty('work_items');
  });

  test('refuses an email of two users, and names both', async () => {
    const email = 'office@example.com';
    const both = [maya, omar].map(({ userId }) => userId);
    const users = suite.product.app.db.updateTable('users').where('platformUserId', 'in', both);
    await users.set({ email }).execute();
    const refusal = expect(exported(email)).rejects;
    for (const id of both) await refusal.toThrow(id);
  });

  test('prints what a deleted user left, and says that a user is unknown', async () => {
    await suite.product.app.db.deleteFrom('users').where('platformUserId', '=', omar.userId).execute();
    expect(Object.keys(await exported(omar.userId))).toEqual(['deletion_requests', 'used_trials']);
    for (const unknown of ['99', 'unknown@example.com'])
      await expect(exported(unknown)).rejects.toThrow(`Nothing is stored about ${unknown}.`);
  });

  test.each(['', 'maya'])('“%s” prints the usage', async (asked) => {
    const usage = 'npm run -s export-user -- <Meta user id> | <email>';
    await expect(command(asked)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(usage) as string,
    });
  });
});
