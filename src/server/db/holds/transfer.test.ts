import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useFreshDb } from '../../../../test/support/database.ts';
import { findLiveHolds, updateHolds } from './holds.ts';
import { transferHolds } from './transfer.ts';

const db = useFreshDb();

test('[ENG-15] a hold whose release is decided waits for its end with its user, the others go to a colleague', async () => {
  await sql`
    insert into users (id, platform_user_id, name, resume_settings, logged_in_at, created_at, initialized_at)
    overriding system value
    select n, 'user ' || n, 'User', '{"mode": "instant"}', now(), now(), now() from generate_series(1, 2) n`.execute(
    db(),
  );
  await sql`insert into ad_accounts (user_id, id, name, currency, account_status, seen_at)
    values (2, 'act_5', 'Shop', 'USD', 1, now())`.execute(db());
  await sql`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at)
    values (2, 'x', 'k', now(), now())`.execute(db());
  for (const [campaign, release] of [
    ['6', null],
    ['7', 'resumed_outside'],
  ] as const) {
    await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
      values (2, ${campaign}, 'act_5', 'ON', now())`.execute(db());
    await sql`insert into holds (user_id, account_id, campaign_id, state, created_at, paused_at, release)
      values (1, 'act_5', ${campaign}, 'paused', now(), now(), ${release})`.execute(db());
  }
  const before = await findLiveHolds(db(), ['act_5']);
  await transferHolds(db(), { userId: '1', accountId: 'act_5' }, Date.now());
  const rows = await db()
    .selectFrom('holds')
    .select(['campaignId', 'userId'])
    .orderBy('campaignId')
    .execute();
  expect(rows).toEqual([
    { campaignId: '6', userId: '2' },
    { campaignId: '7', userId: '1' },
  ]);
  // The answers to what was sent before: the first hold has another user now.
  const answers = before.map((hold) => ({ hold, expectedAttempt: hold.attempt, end: null }));
  expect(await updateHolds(db(), answers, Date.now())).toEqual(new Set([before[1]?.id]));
});
