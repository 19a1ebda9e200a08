import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../scripts/programs/wait-for.ts';
import { saveCampaigns } from './campaigns.ts';
import { createDb } from './database.ts';
import type { Listening } from './listen.ts';

const ANN = '1';
const BOB = '2';

/** Two users who share the ad account act_1, and one campaign in it. */
const SETUP = `
  insert into users (id, platform_user_id, name, resume_settings, logged_in_at, created_at)
    overriding system value select n, 'p' || n, 'Name', '{}', now(), now() from generate_series(1, 2) n;
  insert into ad_accounts (user_id, id, name, currency, seen_at)
    select n, 'act_1', 'Account', 'USD', now() from generate_series(1, 2) n;
  insert into campaigns (id, account_id, name, status, objective, seen_at)
    values ('c1', 'act_1', 'Shoes', 'ACTIVE', 'SALES', now());
  insert into holds (id, user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at)
    overriding system value values (1, 1, 'act_1', 'c1', 'pausing', 'LOW', 'LOW_DISRUPTION', now(), now());
  insert into sessions (token_hash, user_id, created_at, expires_at, last_used_at)
    values ('\\x01', 1, now(), now(), now());
  insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at)
    values (1, '\\x01', 'k', now(), now());`;

let database: FreshDatabase;
let listening: Listening;
let received: string[];

beforeAll(async () => {
  database = await freshDatabase();
  const onMessage = (payload: string): void => void received.push(payload);
  listening = await database.listen({ channel: 'smartpause_live', onMessage, onGap: () => undefined });
});
afterAll(async () => {
  await listening.close();
  await database.close();
});

/** Returns the announcements of the statements, or of a change, as topic and user. */
async function announced(change: string | (() => Promise<unknown>)): Promise<string[]> {
  const end = randomUUID();
  received = [];
  await (typeof change === 'string' ? database.pool.query(change) : change());
  await database.pool.query(`notify smartpause_live, '${end}'`);
  await waitFor('the notifications', () => received.includes(end));
  return received
    .filter((payload) => payload !== end)
    .map((payload) => {
      const { topic, userId, ...rest } = JSON.parse(payload) as { topic: string; userId: string | null };
      expect(rest).toEqual({});
      return userId === null ? topic : `${topic} ${userId}`;
    })
    .toSorted();
}

describe('the database announces', () => {
  beforeEach(async () => {
    await announced(`truncate users, ad_accounts, campaigns, holds, sessions, activities cascade; ${SETUP}`);
  });

  test.each([
    ['a new level', `update platform_status set effective_level = 'HIGH'`, ['status']],
    [
      'an activity',
      `insert into activities (user_id, message, created_at, event, actor)
       values (1, 'm', now(), 'e', 'user')`,
      ['activity'],
    ],
    ['a campaign that the engine pauses', `update holds set state = 'paused'`, [`campaigns ${ANN}`]],
    [
      'a hold that passes to another user',
      `update holds set user_id = 2`,
      [`campaigns ${ANN}`, `campaigns ${BOB}`],
    ],
    [
      'a SmartPause setting',
      `insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
       values (2, 'c1', 'act_1', 'ON', now())`,
      [`campaigns ${BOB}`],
    ],
    [
      'a campaign, to each user of its ad account',
      `update campaigns set status = 'PAUSED'`,
      [`campaigns ${ANN}`, `campaigns ${BOB}`],
    ],
    [
      'a new campaign',
      `insert into campaigns (id, account_id, name, status, objective, seen_at)
       values ('c2', 'act_1', 'Bags', 'ACTIVE', 'SALES', now())`,
      [`campaigns ${ANN}`, `campaigns ${BOB}`],
    ],
    ['an ad account', `update ad_accounts set name = 'Other' where user_id = 2`, [`adAccounts ${BOB}`]],
    [
      'an ad account that must be confirmed',
      `update ad_accounts set writes_blocked_until = now() where user_id = 2`,
      [`adAccounts ${BOB}`],
    ],
    ['an ad account that is gone', `delete from ad_accounts where user_id = 2`, [`adAccounts ${BOB}`]],
    [
      'a subscription',
      `insert into subscriptions (user_id, source, status, plan_type, current_period_end, renews)
       values (2, 'grant', 'active', 'yearly', now(), false)`,
      [`subscription ${BOB}`],
    ],
    ['settings', `update users set threshold = 'LOW' where id = 2`, [`user ${BOB}`]],
    ['a refused token', `update platform_tokens set rejected_at = now()`, [`user ${ANN}`]],
    [
      'a session that begins',
      `insert into sessions (token_hash, user_id, created_at, expires_at, last_used_at)
       values ('\\x02', 2, now(), now(), now())`,
      [`sessions ${BOB}`],
    ],
    ['a session that ends', `delete from sessions`, [`sessions ${ANN}`]],
  ])('%s', async (_what, statement, expected) => {
    expect(await announced(statement)).toEqual(expected);
  });

  test('two hundred rows of a user once', async () => {
    const campaigns = `insert into campaigns (id, account_id, name, status, objective, seen_at)
      select 'n' || n, 'act_1', 'Campaign', 'ACTIVE', 'SALES', now() from generate_series(1, 200) n`;
    expect(await announced(campaigns)).toEqual([`campaigns ${ANN}`, `campaigns ${BOB}`]);
  });

  test.each([
    [
      'another reading of the status page',
      `update platform_status set checked_at = now(), poller = 'p', poller_until = now()`,
    ],
    ['another look at an ad account', `update ad_accounts set seen_at = now() + interval '1 second'`],
    ['the next check of a token', `update platform_tokens set check_at = now() + interval '1 day'`],
    ['no row', `update holds set state = 'paused' where id = 0`],
    ['the use of a session', `update sessions set last_used_at = now() + interval '1 second'`],
  ])('nothing for %s', async (_what, statement) => {
    expect(await announced(statement)).toEqual([]);
  });

  test('a saved list of campaigns, unless it is the same again or an older one', async () => {
    const campaign = { name: 'Shoes', objective: 'SALES', dailyBudget: 5, isLegacyAdvantage: false };
    const save = (readAt: number, status: string) =>
      announced(() => {
        const campaigns = [
          { ...campaign, id: 'c2', status },
          { ...campaign, id: 'c3', status, startTime: 1, stopTime: 2 },
        ];
        const list = { accountId: 'act_1', campaigns, isPartial: false, readAt };
        return saveCampaigns(createDb(database.pool), [list]);
      });
    const both = [`campaigns ${ANN}`, `campaigns ${BOB}`];
    expect(await save(2000, 'ACTIVE')).toEqual(both);
    expect(await save(3000, 'ACTIVE')).toEqual([]);
    expect(await save(1000, 'PAUSED')).toEqual([]);
    expect(await save(4000, 'PAUSED')).toEqual(both);
  });

  test('nothing that is rolled back', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query(`update users set threshold = 'HIGH'`);
    await client.query('rollback');
    client.release();
    expect(await announced('select 1')).toEqual([]);
  });
});
