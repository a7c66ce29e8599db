-- Makes the database of a lake's catalog, and its two roles, of which reader can only read. Run it as a superuser:
--   LOADER_PASSWORD=… READER_PASSWORD=… psql -v ON_ERROR_STOP=1 -f catalog.sql
\getenv loader_password LOADER_PASSWORD
\getenv reader_password READER_PASSWORD
\set database postledger
\getenv database LAKE_DATABASE

select format('create role %I login password %L', name, password)
from (values ('loader', :'loader_password'), ('reader', :'reader_password')) as roles (name, password)
where name not in (select rolname from pg_roles)
\gexec
create database :"database" owner loader;
\connect :"database"
alter default privileges for role loader in schema public grant select on tables to reader;
-- PostgreSQL lets every role take advisory locks and store large objects
select format('revoke execute on function %s from public', oid::regprocedure)
from pg_proc
where proname ~ '^(pg_(try_)?advisory_(xact_)?lock|lo_(creat|from_bytea))'
\gexec
