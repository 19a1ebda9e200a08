import { sql } from 'kysely';
import { HIGH_PERCENT, REPORT_KEPT_MS } from '#core/app-state.ts';
import { LOGIN_ATTEMPT_MS } from '#core/periods.ts';
import { OF_APP } from '#core/platform.ts';
import type { SystemNumbers } from '#core/system-health.ts';
import { FAILED_SHOWN_MS, LEAVING_FAILED, UNCONFIRMED_MS } from '#core/system-health.ts';
import type { Instant } from '#core/time.ts';
import { isSubscribed } from '../billing/subscriptions.ts';
import type { Db } from '../database.ts';
import { onlyRow, timestamp } from '../database.ts';

type Fragment = ReturnType<typeof sql>;

/**
 * Reads each table once; of holds and deliveries only the live rows.
 * @param keyIds the keys that decrypt tokens
 */
export async function readGauges(db: Db, keyIds: readonly string[], now: Instant): Promise<SystemNumbers> {
  const at = timestamp(now);
  const keys = sql`${[...keyIds]}::text[]`;
  const parts: Record<keyof SystemNumbers, Fragment> = {
    statusPage: sql`${ms(sql`checked_at`)} as "readAt", true_level as "trueLevel", effective_level as "effectiveLevel",
      override_level is not null as "isOverridden", trouble, unread_services as missing,
      silent_incidents as "silentIncidents", case when override_level is not null then json_build_object('directive', override_level,
        'reason', override_reason, 'by', (select name from users where id = override_by), 'since', ${ms(sql`override_since`)}) end as override
      from platform_status where id = 1`,
    app: sql`stopped, said, ${ms(sql`since`)} as oldest,
        case when used_percent >= ${HIGH_PERCENT} and used_at > ${timestamp(now - REPORT_KEPT_MS)}
          then used_percent / 100 else 0 end as "usedRatio" from app_state`,
    queue: queueNumbers(),
    jobs: jobNumbers(),
    accounts: accountNumbers(),
    holds: holdNumbers(keys),
    writes: sql`count(*) as unconfirmed, ${ms(sql`min(first_sent_at)`)} as oldest from campaign_writes
      where state = 'open' and first_sent_at <= ${timestamp(now - UNCONFIRMED_MS)}`,
    emails: sql`count(*) as waiting, count(*) filter (where attempts > 0) as retried,
        (select count(*) from deliveries
          where failed_at > ${timestamp(now - FAILED_SHOWN_MS)} and destination_id is null) as failed,
        ${ms(sql`least(min(created_at), (select min(created_at) from activities where pending_notification is not null))`)} as oldest
      from deliveries where due_at is not null and destination_id is null`,
    tokens: tokenNumbers(at, keys),
    tokenChecks: sql`${ms(sql`inspections_refused_since`)} as oldest from app_state`,
    logins: loginNumbers(),
    leaving: sql`count(*) as users, count(*) filter (where leaving_failures >= ${LEAVING_FAILED}) as failing,
      ${ms(sql`min(leaving_at)`)} as oldest from users where leaving is not null`,
    subscriptions: sql`count(*) as failing, ${ms(sql`min(failed_since)`)} as oldest
      from stripe_customers where failed_since is not null`,
  };
  const columns = Object.entries(parts).map(
    ([name, part]) => sql`(select row_to_json(part) from (select ${part}) part) as ${sql.ref(name)}`,
  );
  return onlyRow(await sql<SystemNumbers>`select ${sql.join(columns)}`.execute(db));
}

/** An instant, which JSON does not have. */
function ms(time: Fragment): Fragment {
  return sql`(extract(epoch from ${time}) * 1000)::bigint`;
}

/** Spend is late after a day without an outage; it waits in one. */
const SPEND_LATE = sql`greatest(due_at, p.since) + interval '1 day'`;

function jobNumbers(): Fragment {
  const oldest = sql`min(case kind when 'new_campaigns' then greatest(due_at, jobs_waited_at)
    when 'spend' then ${SPEND_LATE} end)`;
  return sql`count(*) as due, ${ms(oldest)} as oldest from account_jobs, app_state, platform_status p
    where due_at <= now() and not ${IS_WORKING}
      and (kind <> 'spend' or (p.known_level = 'UP' and ${SPEND_LATE} <= now()))`;
}

const IS_WORKING = sql`coalesce(lease_until > now(), false)`;
const IS_LIMITED = sql`coalesce(blocked_until > now(), false)`;

function queueNumbers(): Fragment {
  const isDue = sql`(due_at <= now() and not ${IS_WORKING} and not ${IS_LIMITED})`;
  return sql`count(*) filter (where ${isDue}) as due, count(*) filter (where ${IS_WORKING}) as working,
      count(*) filter (where ${IS_LIMITED} and not ${IS_WORKING}) as limited,
      count(*) filter (where due_at > now() and not ${IS_WORKING} and not ${IS_LIMITED}) as planned,
      ${ms(sql`min(due_at) filter (where ${isDue})`)} as oldest
    from work_items`;
}

/** A pass without a write keeps the failure of the last one in the hold. A failure of the app is not the account's. */
function accountNumbers(): Fragment {
  return sql`count(*) as failing, null::float8 as oldest from work_items where failure_kind <> all(${OF_APP})
    or account_id in (select account_id from holds where ended_at is null and failure_kind <> all(${OF_APP}))`;
}

function holdNumbers(keys: Fragment): Fragment {
  const isNotResumable = sql`(h.state <> 'pausing' and (t.user_id is null or t.rejected_at is not null
    or t.key_id <> all(${keys}) or a.lost_at is not null or coalesce(w.blocked_until > now(), false)))`;
  const total = (where: Fragment) => sql`coalesce(sum(h.count) filter (where ${where}), 0)`;
  return sql`${total(sql`h.state = 'pausing'`)} as pausing, ${total(sql`h.state = 'paused'`)} as paused,
      ${total(sql`h.state in ('resuming', 'cancelling')`)} as resuming, ${total(isNotResumable)} as "notResumable",
      ${ms(sql`min(h.oldest) filter (where ${isNotResumable})`)} as oldest
    from (select user_id, account_id, state, count(*) as count, min(coalesce(paused_at, decided_at)) as oldest
      from holds where ended_at is null and test_until is null group by user_id, account_id, state) h
    left join platform_tokens t on t.user_id = h.user_id
    left join ad_accounts a on a.user_id = h.user_id and a.id = h.account_id
    left join work_items w on w.account_id = h.account_id`;
}

/** Only the first attempts after the last success: enough for the alarm, however many there are. */
function loginNumbers(): Fragment {
  return sql`count(*) filter (where not is_declined) as unfinished, count(*) filter (where is_declined) as declined,
      ${ms(sql`min(ended_at)`)} - ${LOGIN_ATTEMPT_MS}::bigint as oldest
    from (select min(expires_at) as ended_at,
        bool_and(coalesce(outcome in ('ACCESS_DENIED', 'NO_PERMISSION'), false)) as is_declined
      from (select * from login_attempts where expires_at > coalesce(
          (select max(expires_at) from login_attempts where outcome = 'done'), '-infinity')
        order by expires_at limit 1000) attempts
      group by browser_hash) browsers`;
}

/** A user without a subscription or without SmartPause expects nothing from us, so their old tokens do not count. */
function tokenNumbers(at: Fragment, keys: Fragment): Fragment {
  const isExpected = sql`${isSubscribed(sql`platform_tokens.user_id`, at)}
    and exists (select from smartpause_settings where smartpause_settings.user_id = platform_tokens.user_id and setting = 'ON')`;
  return sql`count(*) filter (where rejected_at is not null) as refused,
      count(*) filter (where rejected_at is null) as undecryptable, ${ms(sql`min(rejected_at)`)} as oldest
    from platform_tokens where (rejected_at is not null and ${isExpected}) or (rejected_at is null and key_id <> all(${keys}))`;
}
