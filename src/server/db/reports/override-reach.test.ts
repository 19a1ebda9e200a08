import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hours } from '#core/time.ts';
import { listedAccount, plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { saveAdAccounts } from '../ad-accounts.ts';
import { saveCampaigns, saveSmartPause } from '../campaigns.ts';
import { countOverrideReach } from './override-reach.ts';

const db = useFreshDb();
const NOW = hours(100);
const at = (time: number) => sql`${new Date(time)}::timestamptz`;

const ended = (reason: string, endedAt: number, askedAt = endedAt) => sql`
  insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
    resume_asked_by, resume_asked_at, ended_at, outcome, release_reason)
  select user_id, account_id, campaign_id, 'ended', 'LOW', 'LOW_DISRUPTION', now(), now(),
    case ${reason} when 'resumed_now' then user_id end, case ${reason} when 'resumed_now' then ${at(askedAt)} end,
    ${at(endedAt)}, 'released', ${reason}
  from smartpause_settings`;

test.each([
  [1, 'the subscription is active', sql`select 1`],
  [0, 'it has ended', sql`update subscriptions set access_until = ${at(NOW)}`],
  [0, 'it gives no access', sql`update subscriptions set access_until = null`],
  [0, 'Meta refuses changes', sql`update ad_accounts set writes_blocked_until = ${at(NOW)}`],
  [0, 'it was resumed in this match', ended('resumed_now', NOW - 1)],
  [0, 'Meta has refused the pause in this match', ended('pause_refused', NOW - 1)],
  [1, 'that was asked for before SmartPause was turned on', ended('resumed_now', NOW - 1, 0)],
  [1, 'it was resumed in an earlier match', ended('resumed_now', NOW - hours(2))],
])('[UX-23] an override pauses %i campaigns of a user if %s', async (pauses, _if, change) => {
  await sql`delete from users`.execute(db());
  const userId = await plantUser(db(), { threshold: 'LOW', initializedAt: new Date(0) });
  await saveAdAccounts(db(), userId, { value: [listedAccount('act_5')], isPartial: false }, 1);
  const campaign = {
    id: '5',
    name: '',
    status: 'ACTIVE',
    objective: 'X',
    dailyBudget: 1,
    isLegacyAdvantage: false,
  };
  await saveCampaigns(db(), [{ accountId: 'act_5', isPartial: false, readAt: 1, campaigns: [campaign] }]);
  const campaigns = [{ id: '5', accountId: 'act_5' }];
  await saveSmartPause(db(), { userId, setting: 'ON', campaigns }, 1);
  await sql`insert into subscriptions (user_id, source, status, plan_type, current_period_end, renews, access_until)
    values (${userId}, 'stripe', 'active', 'monthly', ${at(NOW + 1)}, false, ${at(NOW + 1)})`.execute(db());
  await sql`insert into platform_tokens (user_id, ciphertext, key_id, saved_at, check_at)
    values (${userId}, '', '', now(), now())`.execute(db());
  await change.execute(db());
  const matchSince = { LOW: NOW - hours(1), MEDIUM: null, HIGH: null };
  const reach = await countOverrideReach(db(), { matched: ['LOW'], matchSince, startsPauses: true }, NOW);
  expect(reach).toEqual({ users: pauses, pauses, resumes: 0 });
});
