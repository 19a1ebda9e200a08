-- Two roles for a PostgreSQL of your own: one that owns the tables and changes them, and one that SmartPause runs as, which
-- reads and writes rows and can do nothing else. Run it once, as a superuser, in the empty database that SmartPause is to
-- have; then give both a password (\password in psql).
--
--   npm run migrate   with DATABASE_URL of smartpause_owner, before the first start and before each new version
--   npm run serve     with DATABASE_URL of smartpause_app (or npm start, outside of production)

create role smartpause_owner login nosuperuser nocreatedb nocreaterole noreplication;
create role smartpause_app login nosuperuser nocreatedb nocreaterole noreplication connection limit 100;

do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to smartpause_owner, smartpause_app', current_database());
end
$$;

alter schema public owner to smartpause_owner;
revoke all on schema public from public;
grant usage on schema public to smartpause_app;

-- For all that the owner will ever create; announcing changes (NOTIFY) and hearing of them (LISTEN) needs no grant.
alter default privileges for role smartpause_owner in schema public
  grant select, insert, update, delete on tables to smartpause_app;
alter default privileges for role smartpause_owner in schema public
  grant usage, select on sequences to smartpause_app;
