-- Gives the two roles of docs/database-roles.sql their passwords, by psql, from its environment.
\getenv owner_password DATABASE_OWNER_PASSWORD
\getenv app_password DATABASE_APP_PASSWORD
alter role smartpause_owner password :'owner_password';
alter role smartpause_app password :'app_password';
