import { sql } from 'kysely';
import type { StoredNumbers } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import { days, minutes } from '#core/time.ts';
import type { Db } from '../database.ts';
import { onlyRow, timestamp } from '../database.ts';

/** Meta answers a write within 30 seconds. */
const UNCONFIRMED_MS = minutes(1);
const FAILED_SHOWN_MS = days(1);
/** One failure is normal: the retry follows within seconds. */
const LEAVING_FAILED = 2;

/**
 * Reads each table once; of holds and notifications only the live rows.
 * @param keyIds the keys that decrypt tokens
 */
export async function readGauges(db: Db, keyIds: readonly string[], now: Instant): Promise<StoredNumbers> {
  const at = timestamp(now);
  const keys = sql`${[...keyIds]}::text[]`;
  return sql<StoredNumbers>`
    select s.checked_at as "statusCheckedAt", s.true_level, s.effective_level,
      s.override_level is not null as "hasDirective", s.trouble as "statusTrouble", s.unread_services as "statusMissing",
      h.*, u.*, w.*, n.*, f.*, t.*, l.*, b.*
    from platform_status s
    cross join (${holdGauges(keys)}) h
    cross join (
      select count(*)::int as "holdsUnconfirmed", min(first_sent_at) as "oldestUnconfirmedAt" from campaign_writes
      where state = 'open' and first_sent_at <= ${timestamp(now - UNCONFIRMED_MS)}) u
    cross join (${workItemGauges()}) w
    cross join (
      select count(*)::int as "notificationsWaiting", count(*) filter (where attempts > 0)::int as "notificationsRetried",
        min(created_at) as "oldestNotificationAt"
      from notifications where due_at is not null and finalized_at is not null) n
    cross join (
      select count(*)::int as "notificationsFailed" from notifications
      where failed_at > ${timestamp(now - FAILED_SHOWN_MS)} and sent_at is null) f
    cross join (${tokenGauges(at, keys)}) t
    cross join (
      select count(*)::int as "usersLeaving", min(leaving_at) as "oldestLeavingAt",
        count(*) filter (where leaving_failures >= ${LEAVING_FAILED})::int as "usersLeavingFailing"
      from users where leaving is not null) l
    cross join (
      select count(*)::int as "subscriptionsFailing", min(failed_since) as "oldestSubscriptionFailingAt"
      from stripe_customers where failed_since is not null) b
    where s.id = 1`
    .execute(db)
    .then(onlyRow);
}

type Fragment = ReturnType<typeof sql>;

function holdGauges(keys: Fragment): Fragment {
  const isForOutage = sql`holds.test_until is null`;
  const isNotResumable = sql`(holds.state <> 'pausing' and ${isForOutage} and (t.user_id is null
    or t.rejected_at is not null or t.key_id <> all(${keys}) or a.lost_at is not null or coalesce(w.blocked_until > now(), false)))`;
  return sql`
    select json_build_object('pausing', count(*) filter (where holds.state = 'pausing' and ${isForOutage}),
        'paused', count(*) filter (where holds.state = 'paused' and ${isForOutage}),
        'resuming', count(*) filter (where holds.state in ('resuming', 'cancelling') and ${isForOutage})) as holds,
      count(*) filter (where ${isNotResumable})::int as "holdsNotResumable",
      min(coalesce(holds.paused_at, holds.decided_at)) filter (where ${isNotResumable}) as "oldestNotResumableAt"
    from holds
    left join platform_tokens t on t.user_id = holds.user_id
    left join ad_accounts a on a.user_id = holds.user_id and a.id = holds.account_id
    left join work_items w on w.account_id = holds.account_id
    where holds.state <> 'ended'`;
}

function workItemGauges(): Fragment {
  const isWorking = sql`coalesce(lease_until > now(), false)`;
  const isLimited = sql`coalesce(blocked_until > now(), false)`;
  const isDue = sql`(due_at <= now() and not ${isWorking} and not ${isLimited})`;
  // A pass without a write keeps the failure of the last one in the hold.
  const isFailing = sql`(last_error is not null
    or account_id in (select account_id from holds where state <> 'ended' and last_error is not null))`;
  return sql`
    select json_build_object('due', count(*) filter (where ${isDue}),
        'working', count(*) filter (where ${isWorking}),
        'limited', count(*) filter (where ${isLimited} and not ${isWorking}),
        'planned', count(*) filter (where due_at > now() and not ${isWorking} and not ${isLimited})) as "workItems",
      count(*) filter (where ${isFailing})::int as "failingWorkItems",
      min(due_at) filter (where ${isDue}) as "oldestDueAt"
    from work_items`;
}

/** A user without a subscription or without SmartPause expects nothing from us, so their old tokens do not count. */
function tokenGauges(at: Fragment, keys: Fragment): Fragment {
  const isExpected = sql`exists (select from subscriptions where subscriptions.user_id = platform_tokens.user_id
      and status in ('active', 'trialing', 'canceled') and current_period_end > ${at})
    and exists (select from smartpause_settings where smartpause_settings.user_id = platform_tokens.user_id and setting = 'ON')`;
  return sql`
    select count(*) filter (where rejected_at is not null)::int as "tokensRefused", min(rejected_at) as "oldestTokenRefusedAt",
      count(*) filter (where rejected_at is null)::int as "tokensUndecryptable"
    from platform_tokens where (rejected_at is not null and ${isExpected}) or (rejected_at is null and key_id <> all(${keys}))`;
}
