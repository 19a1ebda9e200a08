import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { NO_FAILURE } from '#core/platform.ts';
import { waitFor } from '../../../scripts/programs/wait-for.ts';
import { countBlocked, plantUser, useFreshDb } from '../../../test/support/database.ts';
import { inTransaction } from './database.ts';
import type { WorkItemClaim } from './work-items.ts';
import {
  blockWorkItem,
  claimDueWorkItems,
  ensureWorkItem,
  findGeneration,
  lockFreeWorkItems,
  makeOverdueItemsDue,
  releaseWorkItems,
  renewLeases,
  wake,
  wakeForUser,
} from './work-items.ts';

const AT = Date.parse('2026-01-09T02:10:00Z');
const LEASE_MS = 5_000;
const LATER_MS = 600_000;

/** Of one campaign and its user. */
interface Swept {
  hold?: 'paused' | 'ended';
  setting?: 'ON' | 'OFF';
  token?: 'valid' | 'refused' | 'none';
  leaving?: 'delete';
}

let at = AT;
const db = useFreshDb({ now: () => at });

async function queue(...accountIds: string[]): Promise<void> {
  for (const accountId of accountIds) await ensureWorkItem(db(), accountId);
  await wake(db(), accountIds);
}

const claim = (owner = 'me', leasedAccountIds: readonly string[] = []): Promise<WorkItemClaim[]> =>
  claimDueWorkItems(db(), { limit: 10, leasedAccountIds }, { owner, leaseMs: LEASE_MS });

async function claimOne(): Promise<WorkItemClaim> {
  const [first] = await claim();
  if (first === undefined) throw new Error('the work item was not claimed');
  return first;
}

const release = (item: WorkItemClaim): Promise<void> =>
  releaseWorkItems(
    db(),
    [{ ...item, lookAt: at + LATER_MS, failures: 0, ...NO_FAILURE, blockedUntil: null }],
    at,
  );

async function dueAt(): Promise<number | undefined> {
  const row = await db().selectFrom('workItems').select('dueAt').executeTakeFirstOrThrow();
  return row.dueAt ?? undefined;
}

beforeEach(async () => {
  at = AT;
  await sql`delete from work_items`.execute(db());
  await sql`delete from users`.execute(db());
});

describe('work items', () => {
  test('without a change the work item is due at the time that its holder set', async () => {
    await queue('act_1');
    await release(await claimOne());
    expect(await dueAt()).toBe(AT + LATER_MS);
  });

  test('is due at once after a change during the pass, also if its lease had ended', async () => {
    await queue('act_1');
    const item = await claimOne();
    at += LEASE_MS + 1;
    await wake(db(), ['act_1']);
    await release(item);
    expect(await claim()).toHaveLength(1);
  });

  test('a change gives the lease another generation', async () => {
    await queue('act_1');
    const item = await claimOne();
    expect(await findGeneration(db(), item)).toBe(item.generation);
    await wake(db(), ['act_1']);
    expect(await findGeneration(db(), item)).toBe(item.generation + 1);
  });

  test('only others claim a work item whose lease expired while its holder still works', async () => {
    await queue('act_1');
    const first = await claimOne();
    expect(await claim('another process')).toEqual([]);
    at += LEASE_MS + 1;
    expect(await claim('me', ['act_1'])).toEqual([]);
    const [second] = await claim('another process', ['act_5']);
    expect(second).toMatchObject({ accountId: 'act_1', fencingToken: first.fencingToken + 1 });
    expect(await findGeneration(db(), first)).toBeNull();
    await release(first);
    expect(await claim()).toEqual([]);
  });

  test('no other process claims a work item whose lease is renewed', async () => {
    await queue('act_1');
    const item = await claimOne();
    at += LEASE_MS - 1;
    await renewLeases(db(), [item], LEASE_MS);
    at += LEASE_MS - 1;
    expect(await claim('another process')).toEqual([]);
  });

  test('a block from a page request survives the release', async () => {
    await queue('act_1');
    const item = await claimOne();
    await blockWorkItem(db(), 'act_1', 300_000);
    await release(item);
    await wake(db(), ['act_1']);
    at += 299_999;
    expect(await claim()).toEqual([]);
    at += 1;
    expect(await claim()).toHaveLength(1);
  });
});

describe('with the clock of the database', () => {
  const own = useFreshDb();

  test('a block lasts as long as Meta asked, although the transaction began earlier', async () => {
    await ensureWorkItem(own(), 'act_1');
    await wake(own(), ['act_1']);
    const [item] = await claimDueWorkItems(
      own(),
      { limit: 1, leasedAccountIds: [] },
      { owner: 'me', leaseMs: LEASE_MS },
    );
    if (item === undefined) throw new Error('the work item was not claimed');
    const blocked = await inTransaction(own(), async (tx) => {
      const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(tx);
      const release = { ...item, lookAt: null, failures: 0, ...NO_FAILURE, blockedUntil: AT + 60_000 };
      await releaseWorkItems(tx, [release], AT);
      return sql<{ isLongEnough: boolean }>`
        select blocked_until >= ${rows[0]?.at}::timestamptz + interval '1 minute' as "isLongEnough" from work_items`.execute(
        tx,
      );
    });
    expect(blocked.rows).toEqual([{ isLongEnough: true }]);
  });
});

test('after a login a write without an answer is looked at, also without a hold', async () => {
  const at0 = new Date(AT);
  const userId = await plantUser(db());
  await ensureWorkItem(db(), 'act_1');
  await db()
    .insertInto('campaignWrites')
    .values({
      ...{
        campaignId: '1',
        accountId: 'act_1',
        origin: 'manual',
        userId,
        requestedAt: at0,
        target: 'PAUSED',
      },
      ...{ state: 'failed', statusBefore: 'ACTIVE', firstSentAt: at0, unansweredUntil: at0 },
      ...{ refusals: 0, failures: 0 },
    })
    .execute();
  await wakeForUser(db(), userId);
  expect(await dueAt()).toBe(AT);
});

describe('the sweep makes an ad account due that is not', () => {
  const plant = async ({ hold, setting = 'OFF', token = 'valid', leaving }: Swept): Promise<void> => {
    const userId = await plantUser(db(), {
      platformUserId: 'swept',
      threshold: 'MEDIUM',
      leaving: leaving ?? null,
    });
    await ensureWorkItem(db(), 'act_1');
    await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
      values (${userId}, '1', 'act_1', ${setting}, now())`.execute(db());
    if (token !== 'none')
      await sql`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at, rejected_at)
        values (${userId}, '', 'k', now(), now(), ${token === 'valid' ? null : new Date(AT)})`.execute(db());
    const ended = hold === 'ended' ? new Date(AT) : null;
    if (hold !== undefined)
      await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
        ended_at, outcome) values (${userId}, 'act_1', '1', ${hold}, 'MEDIUM', 'HIGH_DISRUPTION', now(), now(),
        ${ended}, ${ended && 'resumed'})`.execute(db());
  };

  test.each<[string, Swept, string[], boolean]>([
    ['with SmartPause on in a match', { setting: 'ON' }, ['LOW', 'MEDIUM'], true],
    ['not without a match', { setting: 'ON' }, ['LOW'], false],
    ['not with SmartPause off', {}, ['MEDIUM'], false],
    ['with a hold', { hold: 'paused' }, [], true],
    ['not with a hold that has ended', { hold: 'ended' }, [], false],
    ['not without a token', { hold: 'paused', token: 'none' }, [], false],
    ['not with a token that Meta has refused', { hold: 'paused', token: 'refused' }, [], false],
    ['without a token if the user leaves', { hold: 'paused', token: 'none', leaving: 'delete' }, [], true],
  ])('%s', async (_title, given, matched, isDue) => {
    await plant(given);
    expect(await makeOverdueItemsDue(db(), matched)).toBe(Number(isDue));
    expect(await claim()).toHaveLength(Number(isDue));
    expect(await makeOverdueItemsDue(db(), matched)).toBe(0);
  });
});

describe('[EARLY-08] the sweep makes an ad account due whose user wants all paused', () => {
  test.each<
    [string, Partial<Record<'until' | 'access' | 'setUp' | 'leaving' | 'lost', string | null>>, number]
  >([
    ['until they end it', {}, 1],
    ['until a chosen time', { until: '2999-01-01' }, 1],
    ['not after its end', { until: '2026-01-01' }, 0],
    ['not without a subscription', { access: '2026-01-01' }, 0],
    ['not before setup', { setUp: null }, 0],
    ['not where the user has lost the ad account', { lost: '2026-01-01' }, 0],
  ])('%s', async (_title, given, count) => {
    const { until = null, access = '2999-01-01', setUp = '2026-01-01', lost = null } = given;
    const userId = await plantUser(db(), { platformUserId: 'said', threshold: 'MEDIUM' });
    await sql`update users set initialized_at = ${setUp}::timestamptz where id = ${userId}`.execute(db());
    await ensureWorkItem(db(), 'act_1');
    await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
      values (${userId}, '1', 'act_1', 'ON', now())`.execute(db());
    await sql`insert into ad_accounts (user_id, id, name, currency, seen_at, lost_at)
      values (${userId}, 'act_1', 'A', 'USD', now(), ${lost}::timestamptz)`.execute(db());
    await sql`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at)
      values (${userId}, '', 'k', now(), now())`.execute(db());
    await sql`insert into subscriptions (user_id, source, plan_type, status, current_period_end, renews, access_until)
      values (${userId}, 'grant', 'monthly', 'active', now(), false, ${access}::timestamptz)`.execute(db());
    await sql`insert into signals (source, scope, state, user_id, since, until)
      values ('user', 'user', 'SAID', ${userId}, '2025-01-01', ${until}::timestamptz)`.execute(db());
    expect(await makeOverdueItemsDue(db(), [])).toBe(count);
  });
});

test('locking the free work items waits for no other transaction', async () => {
  await queue('act_1', 'act_2');
  await inTransaction(db(), async (other) => {
    await sql`select from work_items where account_id = 'act_1' for update`.execute(other);
    const locked = await inTransaction(db(), async (tx) => {
      await sql`set local lock_timeout = '1s'`.execute(tx);
      return lockFreeWorkItems(tx, ['act_1', 'act_2', 'act_3']);
    });
    expect([...locked.keys()]).toEqual(['act_2']);
  });
});

test('two transactions that lock several work items never wait for each other', async () => {
  await queue('act_2', 'act_1');
  const claims = (await claim()).toSorted((a, b) => b.accountId.localeCompare(a.accountId));
  expect(claims.map(({ accountId }) => accountId)).toEqual(['act_2', 'act_1']);
  at += LEASE_MS - 1;
  const acting = await inTransaction(db(), async (tx) => {
    await sql`select from work_items where account_id = 'act_1' for update`.execute(tx);
    const begun = renewLeases(db(), claims, LEASE_MS).then(
      () => 'done',
      (error: unknown) => String(error),
    );
    await waitFor('it to wait', async () => (await countBlocked(db())) === 1);
    await wake(tx, ['act_2']);
    return { begun };
  });
  expect(await acting.begun).toBe('done');
});
