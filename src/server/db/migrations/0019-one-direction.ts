import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * One direction at a time: a hold remembers only the copies of its present write. `sent_at` is null when none is
 * without a response. An opposite copy that is in flight at the upgrade counts as an external change.
 * Users' own pauses and resumes wait in a table for the reconciler, the only writer.
 */
export const oneDirection: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `alter table hold rename column pending_release to release;
        alter table hold drop constraint if exists hold_state_check;
        update hold set state = 'ended', outcome = 'released', reason = release, ended_at = now(), release = null
          where state <> 'ended' and release is not null and sent_at is null;
        update hold set state = 'ended', outcome = 'resumed', ended_at = now()
          where state <> 'ended' and release is null and resumed_at is not null and sent_at is null;
        update hold set state = 'resumed' where state <> 'ended' and release is null and resumed_at is not null;
        update hold set sent_at = null where state <> 'ended' and not unconfirmed;
        alter table hold add constraint hold_state_check
          check (state in ('pausing', 'paused', 'resuming', 'resumed', 'ended'));
        alter table hold drop column unconfirmed, drop column late_pause_until, drop column late_resume_until;
        create table manual_change (
          id bigint generated always as identity primary key,
          user_id bigint not null references app_user on delete cascade,
          account_id text not null,
          campaign_id text not null,
          status text not null check (status in ('ACTIVE', 'PAUSED')),
          requested_at timestamptz not null,
          sent_at timestamptz,
          ended_at timestamptz,
          refusal text
        );
        create unique index manual_change_pending on manual_change (campaign_id) where ended_at is null;
        create index manual_change_account on manual_change (account_id) where ended_at is null or sent_at is not null;
        create index manual_change_user on manual_change (user_id);
        create trigger live_update_on_insert after insert on manual_change referencing new table as new_rows
          for each statement execute function notify_live_update('campaigns', 'r.user_id', '');
        create trigger live_update_on_update after update on manual_change
          referencing old table as old_rows new table as new_rows
          for each statement execute function notify_live_update('campaigns', 'r.user_id', '')`,
      )
      .execute(db);
  },
};
