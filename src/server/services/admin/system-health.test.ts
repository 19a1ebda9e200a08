import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SystemHealth } from '#contract/system-health.ts';
import type { UserOverHttp } from '../../../../scripts/simulator-clients/user.ts';
import { plantUser } from '../../../../test/support/database.ts';
import { signIn } from '../../../../scripts/simulator-clients/user.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { readListsForNewCampaigns } from '../campaigns/campaign-lists.ts';
import type { ServiceDeps } from '../deps.ts';

const BOSS = '7111000000009';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Part = keyof SystemHealth;

/** Where /metrics shows each number of the card. */
const METRICS: Record<string, string> = {
  'statusPage.readAt': 'smartpause_status_age_seconds',
  'app.usedRatio': 'smartpause_app_limit_used_ratio',
  'app.oldest': 'smartpause_failing_oldest_seconds{kind="app"}',
  'queue.due': 'smartpause_work_queue_items{state="due"}',
  'queue.oldest': 'smartpause_queue_oldest_due_seconds',
  'jobs.due': 'smartpause_account_jobs_due',
  'jobs.oldest': 'smartpause_account_jobs_oldest_due_seconds',
  'accounts.failing': 'smartpause_work_items_failing',
  'holds.pausing': 'smartpause_holds{state="pausing"}',
  'holds.paused': 'smartpause_holds{state="paused"}',
  'holds.resuming': 'smartpause_holds{state="resuming"}',
  'holds.notResumable': 'smartpause_holds_not_resumable',
  'holds.oldest': 'smartpause_failing_oldest_seconds{kind="hold_not_resumable"}',
  'writes.unconfirmed': 'smartpause_writes_unconfirmed',
  'writes.oldest': 'smartpause_failing_oldest_seconds{kind="hold_unconfirmed"}',
  'emails.waiting': 'smartpause_notifications_waiting',
  'emails.retried': 'smartpause_notifications_retried',
  'emails.failed': 'smartpause_notifications_failed_last_day',
  'emails.oldest': 'smartpause_notifications_oldest_waiting_seconds',
  'tokens.refused': 'smartpause_tokens_refused',
  'tokens.undecryptable': 'smartpause_tokens_undecryptable',
  'tokens.oldest': 'smartpause_failing_oldest_seconds{kind="token_refused"}',
  'tokenChecks.oldest': 'smartpause_failing_oldest_seconds{kind="token_check"}',
  'logins.oldest': 'smartpause_failing_oldest_seconds{kind="login_without_success"}',
  'leaving.users': 'smartpause_users_leaving',
  'leaving.failing': 'smartpause_users_leaving_failing',
  'leaving.oldest': 'smartpause_failing_oldest_seconds{kind="user_leaving"}',
  'subscriptions.failing': 'smartpause_subscriptions_failing',
  'subscriptions.oldest': 'smartpause_failing_oldest_seconds{kind="subscription"}',
};
/** Flags and texts, and a time that is not stored. */
const WITHOUT_METRIC =
  /\.needsAttention$|^app\.(stopped|said)$|^statusPage\.(trouble|missing|silentIncidents|override)$|^accounts\.oldest$|^logins\.(unfinished|declined)$/;

// Without a worker, so that nothing repairs what the tests plant.
describe('System health', () => {
  const suite = startSuite({ environment: { ADMIN_PLATFORM_IDS: BOSS, OPERATIONS_PORT: '0', ROLE: 'web' } });
  let boss: UserOverHttp;
  let operations = '';

  beforeAll(async () => {
    await suite.simulators.graph.post('/seed', { users: [{ id: BOSS, name: 'The Boss', accounts: [] }] });
    boss = await signIn(suite.product.url, BOSS);
    const address = suite.product.app.operators?.server.address();
    if (address == null || typeof address === 'string') throw new Error('the server does not listen');
    operations = `http://127.0.0.1:${address.port}`;
    await plantUser(suite.product.app.db, { platformUserId: '77' });
  });
  beforeEach(async () => {
    for (const table of [
      'holds',
      'campaign_writes',
      'work_items',
      'account_jobs',
      'notifications',
      'stripe_customers',
      'subscriptions',
      'smartpause_settings',
    ])
      await run(`delete from ${table}`);
    await run(`delete from platform_tokens where user_id = ${MAYA}`);
    await run(`delete from ad_accounts`);
    await run(`delete from login_attempts`);
    await run(`update app_state set inspections_refused_since = null`);
    await run(`update users set leaving = null, leaving_at = null, leaving_failures = 0`);
    await run(`update platform_status set true_level = 'UP', trouble = null, unread_services = '{}',
      checked_at = ${ago(5 * SECOND)}`);
    await run(
      'update app_state set stopped = null, since = null, said = null, used_percent = null, jobs_waited_at = null',
    );
    // Ends the 5 s for which the numbers are cached.
    suite.product.clock.advance(6 * SECOND);
  });

  const MAYA = `(select id from users where platform_user_id = '77')`;
  const THE_BOSS = `(select id from users where platform_user_id = '${BOSS}')`;
  /** A key that the product has. */
  const KEY = `(select key_id from platform_tokens where user_id = ${THE_BOSS})`;
  const ago = (ms: number) => `'${new Date(suite.product.clock.now() - ms).toISOString()}'::timestamptz`;
  const run = (statement: string) => sql.raw(statement).execute(suite.product.app.db);

  /** A hold of the boss, whose token is good. */
  const hold = (state: string, more: Record<string, string> = {}) => {
    const columns = {
      user_id: THE_BOSS,
      account_id: `'act_1'`,
      campaign_id: `'${Math.random()}'`,
      state: `'${state}'`,
      threshold: `'LOW'`,
      level: `'LOW_DISRUPTION'`,
      decided_at: ago(2 * HOUR),
      read_at: ago(2 * HOUR),
      ...more,
    };
    return run(
      `insert into holds (${Object.keys(columns).join()}) values (${Object.values(columns).join()})`,
    );
  };
  /** A write of the boss without an answer. */
  const write = (sentAt: string) =>
    run(`insert into campaign_writes (campaign_id, account_id, origin, user_id, requested_at, target, state,
        status_before, first_sent_at, refusals, failures)
      values ('1', 'act_1', 'hold', ${THE_BOSS}, ${sentAt}, 'PAUSED', 'open', 'ACTIVE', ${sentAt}, 0, 0)`);
  const workItem = (dueAt: string, more = 'null, null') =>
    run(
      `insert into work_items (account_id, due_at, failure_kind, blocked_until) values ('act_1', ${dueAt}, ${more})`,
    );
  /** An email. */
  const notification = (columns: string, createdAt: string, values: string) =>
    run(`with written as (
        insert into notifications (user_id, kind, subject, created_at) values (${MAYA}, 'paused', '', ${createdAt}) returning id)
      insert into deliveries (notification_id, channel, to_address, created_at, ${columns})
        select id, 'email', 'maya@example.com', ${createdAt}, ${values} from written`);
  const waiting = (createdAt: string, attempts: number) =>
    notification('due_at, attempts', createdAt, `${ago(-HOUR)}, ${attempts}`);
  const token = (keyId: string, refusedAt = 'null') =>
    run(`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at, rejected_at)
      values (${MAYA}, 'x', ${keyId}, now(), now(), ${refusedAt})`);
  const subscribes = async () => {
    await run(`insert into subscriptions (user_id, source, status, plan_type, current_period_end, renews, access_until)
      values (${MAYA}, 'stripe', 'active', 'monthly', now() + interval '1 year', true, now() + interval '1 year')`);
    await run(`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
      values (${MAYA}, '1', 'act_1', 'ON', now())`);
  };
  const lateJob = () =>
    run(
      `insert into account_jobs (account_id, kind, due_at) values ('act_1', 'new_campaigns', ${ago(HOUR)})`,
    );
  const lateSpend = async (ms: number) => {
    await run(`insert into account_jobs (account_id, kind, due_at) values ('act_2', 'spend', ${ago(ms)})`);
    await run(`update platform_status set since = ${ago(30 * HOUR)}`);
  };
  const leaves = (failures: number) =>
    run(`update users set leaving = 'delete', leaving_by = 'user', leaving_at = ${ago(HOUR)}, leaving_failures = ${failures}
      where id = ${MAYA}`);

  const read = async () => boss.get<SystemHealth>('/api/admin/system-health');
  const attention = (health: SystemHealth): Part[] =>
    (Object.keys(health) as Part[]).filter((part) => health[part].needsAttention);

  /** Compares every number and time with /metrics. */
  async function equalsMetrics(health: SystemHealth): Promise<void> {
    const text = await (await fetch(`${operations}/metrics`)).text();
    const now = suite.product.clock.now();
    const values = new Map(
      [...text.matchAll(/^(smartpause\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    for (const [part, fields] of Object.entries(health)) {
      for (const [field, value] of Object.entries(fields)) {
        const name = `${part}.${field}`;
        if (WITHOUT_METRIC.test(name)) continue;
        const metric = values.get(METRICS[name]);
        if (typeof value === 'number') expect([name, metric]).toEqual([name, value]);
        // No age, or 0: there is none.
        else if (value === null) expect([name, metric ?? 0]).toEqual([name, 0]);
        else
          expect([
            name,
            Math.abs(now - (metric ?? 0) * SECOND - Date.parse(value as string)) < 2 * SECOND,
          ]).toEqual([name, true]);
      }
    }
  }

  test('everything works', async () => {
    const health = await read();
    expect(attention(health)).toEqual([]);
    await equalsMetrics(health);
  });

  const FAILURES: [what: string, part: Part, plant: () => Promise<unknown>, shown: object][] = [
    [
      'the status page was not read for a minute',
      'statusPage',
      () => run(`update platform_status set checked_at = ${ago(61 * SECOND)}`),
      { trouble: null, missing: [] },
    ],
    [
      '[FR-15] the status page lacks a watched service',
      'statusPage',
      async () => {
        await run(`update platform_status set true_level = 'UNKNOWN', trouble = '/data/orgs.json: HTTP 500',
          unread_services = '{"Ads Delivery"}'`);
      },
      { trouble: '/data/orgs.json: HTTP 500', missing: ['Ads Delivery'] },
    ],
    [
      '[FR-32] Meta blocks the app',
      'app',
      () =>
        run(`update app_state set stopped = 'blocked', since = ${ago(SECOND)}, said = 'API access blocked'`),
      { stopped: 'blocked', said: 'API access blocked', usedRatio: 0 },
    ],
    [
      '[FR-31] the limit of the app has been used up for minutes',
      'app',
      () =>
        run(`update app_state set stopped = 'limited', since = ${ago(4 * MINUTE)}, used_percent = 97,
          used_at = ${ago(4 * MINUTE)}`),
      { stopped: 'limited', usedRatio: 0.97 },
    ],
    ['an ad account is overdue', 'queue', () => workItem(ago(61 * SECOND)), { due: 1 }],
    ['a read failed', 'accounts', () => workItem(ago(-HOUR), `'transient', null`), { failing: 1 }],
    [
      'a write failed, and a read succeeded since',
      'accounts',
      async () => {
        await workItem(ago(-HOUR));
        await hold('pausing', { failure_kind: `'permission'` });
      },
      { failing: 1 },
    ],
    ['a user has no token', 'holds', () => hold('paused', { user_id: MAYA }), { paused: 1, notResumable: 1 }],
    [
      'Meta refuses the token of a former subscriber',
      'holds',
      async () => {
        await token(KEY, ago(HOUR));
        for (const state of ['resuming', 'cancelling']) await hold(state, { user_id: MAYA });
      },
      { resuming: 2, notResumable: 2 },
    ],
    [
      'Meta denies access to the ad account',
      'holds',
      async () => {
        await run(`insert into ad_accounts (user_id, id, name, currency, seen_at, lost_at)
          values (${THE_BOSS}, 'act_1', '', 'USD', now(), now())`);
        await hold('paused');
      },
      { paused: 1, notResumable: 1 },
    ],
    [
      'Meta’s limit blocks the ad account',
      'holds',
      async () => {
        await workItem(ago(-HOUR), `null, ${ago(-HOUR)}`);
        await hold('paused');
      },
      { notResumable: 1 },
    ],
    ['a write is unconfirmed', 'writes', () => write(ago(61 * SECOND)), { unconfirmed: 1 }],
    ['an email was refused', 'emails', () => waiting(ago(MINUTE), 1), { waiting: 1, retried: 1 }],
    ['no email is sent', 'emails', () => waiting(ago(31 * MINUTE), 0), { waiting: 1, retried: 0 }],
    [
      'an email was abandoned',
      'emails',
      () => notification('failed_at', ago(30 * HOUR), ago(23 * HOUR)),
      { waiting: 0, failed: 1 },
    ],
    [
      'Meta refuses the token of a subscriber',
      'tokens',
      async () => {
        await subscribes();
        await token(KEY, ago(HOUR));
      },
      { refused: 1, undecryptable: 0 },
    ],
    ['a key is missing', 'tokens', () => token(`'of-long-ago'`), { refused: 0, undecryptable: 1 }],
    [
      '[FR-33] Meta refuses to inspect a token for our app',
      'tokenChecks',
      () => run(`update app_state set inspections_refused_since = ${ago(HOUR)}`),
      {},
    ],
    [
      '[FR-35] no login has succeeded for two days although three began',
      'logins',
      () =>
        run(`insert into login_attempts (state_hash, browser_hash, return_to, expires_at)
          select sha256(one::text::bytea), sha256(one::text::bytea), '/', ${ago(48 * HOUR - 15 * MINUTE)}
          from generate_series(1, 3) one`),
      { unfinished: 3, declined: 0 },
    ],
    ['a list for new campaigns is read late', 'jobs', lateJob, { due: 1 }],
    ['[SPEND-01] spend is read a day late', 'jobs', () => lateSpend(25 * HOUR), { due: 1 }],
    ['a deletion fails', 'leaving', () => leaves(2), { users: 1, failing: 1 }],
    [
      'Stripe does not return a subscription',
      'subscriptions',
      () =>
        run(`insert into stripe_customers (user_id, customer_id, sync_at, failed_since)
          values (${MAYA}, 'cus_1', now(), ${ago(HOUR)})`),
      { failing: 1 },
    ],
  ];

  test.each(FAILURES)('%s: only %s needs attention', async (_what, part, plant, shown) => {
    await plant();
    const health = await read();
    expect(attention(health)).toEqual([part]);
    expect(health[part]).toMatchObject(shown);
    await equalsMetrics(health);
  });

  test('nothing needs attention after one failed attempt, for a live test and for lists that wait for our app’s limit', async () => {
    await workItem(ago(59 * SECOND));
    await hold('paused');
    await hold('pausing');
    await hold('paused', { user_id: MAYA, test_until: 'now()' });
    await write(ago(50 * SECOND));
    await waiting(ago(20 * MINUTE), 0);
    await token(KEY, ago(HOUR));
    await leaves(1);
    await lateJob();
    await lateSpend(23 * HOUR);
    const app = { isSparing: () => true };
    await readListsForNewCampaigns({ db: suite.product.app.db, app } as ServiceDeps);
    const health = await read();
    expect(attention(health)).toEqual([]);
    expect(health).toMatchObject({
      queue: { due: 1 },
      holds: { pausing: 1, paused: 1 },
      emails: { waiting: 1 },
      leaving: { users: 1 },
    });
    await equalsMetrics(health);
  });
});
