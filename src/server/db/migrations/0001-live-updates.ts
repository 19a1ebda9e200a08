/** Triggers that announce each change that a page could show, in its transaction. */
export const LIVE_UPDATES = `
-- PostgreSQL drops equal messages of one transaction.
create function notify_all() returns trigger language plpgsql as $$ begin
  perform pg_notify('smartpause_live', json_build_object('topic', tg_argv[0], 'userId', null)::text);
  return null;
end $$;
create function notify_user() returns trigger language plpgsql as $$ begin
  perform pg_notify('smartpause_live', json_build_object('topic', tg_argv[0], 'userId', id::text)::text)
    from unnest(array[old.user_id, new.user_id]) as concerned(id) where id is not null;
  return null;
end $$;
create function notify_self() returns trigger language plpgsql as $$ begin
  perform pg_notify('smartpause_live', json_build_object('topic', 'user', 'userId', new.id::text)::text);
  return null;
end $$;
-- The reconciler changes hundreds of holds and campaigns in one statement: it announces each of their users once.
create function notify_users_of_holds() returns trigger language plpgsql as $$ begin
  perform pg_notify('smartpause_live', json_build_object('topic', 'campaigns', 'userId', user_id::text)::text)
    from (select distinct user_id from changed) concerned;
  return null;
end $$;
create function notify_users_of_campaigns() returns trigger language plpgsql as $$ begin
  perform pg_notify('smartpause_live', json_build_object('topic', 'campaigns', 'userId', user_id::text)::text)
    from (select distinct user_id from ad_accounts where id in (select account_id from changed)) concerned;
  return null;
end $$;

create trigger live_change after update on platform_status for each row
  when ((old.effective_level, old.true_level, old.known_level, old.override_level, old.message, old.quote,
      old.login_disrupted, old.since)
    is distinct from
    (new.effective_level, new.true_level, new.known_level, new.override_level, new.message, new.quote,
      new.login_disrupted, new.since))
  execute function notify_all('status');

create trigger live_change after update on app_state for each row
  when (old.stopped is distinct from new.stopped) execute function notify_all('status');

create trigger live_insert after insert on activities for each statement execute function notify_all('activity');

create trigger live_change after update on users for each row
  when (old.* is distinct from new.*) execute function notify_self();

create trigger live_insert after insert or delete on sessions for each row execute function notify_user('sessions');

create trigger live_insert after insert or delete on platform_tokens for each row execute function notify_user('user');
create trigger live_change after update on platform_tokens for each row
  when ((old.saved_at, old.expires_at, old.rejected_at, old.is_short_lived)
    is distinct from (new.saved_at, new.expires_at, new.rejected_at, new.is_short_lived))
  execute function notify_user('user');

create trigger live_insert after insert or delete on subscriptions for each row
  execute function notify_user('subscription');
create trigger live_change after update on subscriptions for each row
  when (old.* is distinct from new.*) execute function notify_user('subscription');

create trigger live_insert after insert or delete on ad_accounts for each row
  execute function notify_user('adAccounts');
create trigger live_change after update on ad_accounts for each row
  when ((old.name, old.currency, old.may_pause, old.account_status, old.disable_reason, old.lost_at,
      old.writes_blocked_until, old.removed_at)
    is distinct from
    (new.name, new.currency, new.may_pause, new.account_status, new.disable_reason, new.lost_at,
      new.writes_blocked_until, new.removed_at))
  execute function notify_user('adAccounts');

create trigger live_insert after insert or delete on smartpause_settings for each row
  execute function notify_user('campaigns');
create trigger live_change after update on smartpause_settings for each row
  when (old.* is distinct from new.*) execute function notify_user('campaigns');

create trigger live_insert after insert on campaigns referencing new table as changed
  for each statement execute function notify_users_of_campaigns();
create trigger live_change after update on campaigns referencing new table as changed
  for each statement execute function notify_users_of_campaigns();

create trigger live_insert after insert on holds referencing new table as changed
  for each statement execute function notify_users_of_holds();
create trigger live_change after update on holds referencing new table as changed
  for each statement execute function notify_users_of_holds();
create trigger live_hand_over after update on holds referencing old table as changed
  for each statement execute function notify_users_of_holds();

create trigger live_insert after insert on manual_changes for each row execute function notify_user('campaigns');
create trigger live_change after update on manual_changes for each row
  when (old.* is distinct from new.*) execute function notify_user('campaigns');`;
