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
create function notify_users_of_account() returns trigger language plpgsql as $$ begin
  perform pg_notify('smartpause_live', json_build_object('topic', 'campaigns', 'userId', user_id::text)::text)
    from ad_account where id in (old.account_id, new.account_id);
  return null;
end $$;

create trigger live_change after update on platform_status for each row
  when ((old.effective, old.true_level, old.known, old.directive, old.message, old.quote, old.login_disrupted, old.since)
    is distinct from
    (new.effective, new.true_level, new.known, new.directive, new.message, new.quote, new.login_disrupted, new.since))
  execute function notify_all('status');

create trigger live_insert after insert on activity for each row execute function notify_all('activity');

create trigger live_change after update on app_user for each row
  when (old.* is distinct from new.*) execute function notify_self();

create trigger live_insert after insert or delete on session for each row execute function notify_user('sessions');

create trigger live_insert after insert or delete on platform_token for each row execute function notify_user('user');
create trigger live_change after update on platform_token for each row
  when ((old.saved_at, old.expires_at, old.refused_at, old.extend_at)
    is distinct from (new.saved_at, new.expires_at, new.refused_at, new.extend_at))
  execute function notify_user('user');

create trigger live_insert after insert or delete on subscription for each row
  execute function notify_user('subscription');
create trigger live_change after update on subscription for each row
  when (old.* is distinct from new.*) execute function notify_user('subscription');

create trigger live_insert after insert or delete on ad_account for each row
  execute function notify_user('adAccounts');
create trigger live_change after update on ad_account for each row
  when ((old.name, old.currency, old.account_status, old.lost_at)
    is distinct from (new.name, new.currency, new.account_status, new.lost_at))
  execute function notify_user('adAccounts');

create trigger live_insert after insert or delete on smart_pause for each row
  execute function notify_user('campaigns');
create trigger live_change after update on smart_pause for each row
  when (old.* is distinct from new.*) execute function notify_user('campaigns');

create trigger live_insert after insert on campaign for each row execute function notify_users_of_account();
create trigger live_change after update on campaign for each row
  when ((old.name, old.status, old.objective, old.daily_budget, old.listed, old.is_legacy_advantage)
    is distinct from (new.name, new.status, new.objective, new.daily_budget, new.listed, new.is_legacy_advantage)
    or (old.account_id, old.start_time, old.stop_time) is distinct from (new.account_id, new.start_time, new.stop_time))
  execute function notify_users_of_account();

create trigger live_insert after insert on hold for each row execute function notify_user('campaigns');
create trigger live_change after update on hold for each row
  when (old.* is distinct from new.*) execute function notify_user('campaigns');

create trigger live_insert after insert on manual_change for each row execute function notify_user('campaigns');
create trigger live_change after update on manual_change for each row
  when (old.* is distinct from new.*) execute function notify_user('campaigns');`;
