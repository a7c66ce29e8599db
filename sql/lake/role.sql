-- grain: one row; whether there is a lake, and what the role may do that a reader must not
-- reads: pg_class, pg_namespace, pg_proc, pg_roles
select
  to_regclass('ducklake_snapshot') is not null as is_made,
  case
    when (
      select rolsuper
      from pg_roles
      where rolname = current_user
    ) or exists (
      select
      from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p')
        and nspname !~ '^pg_|^information_schema$'
        and has_table_privilege(pg_class.oid, 'insert, update, delete, truncate')
    ) then 'write to its database'
    when exists (
      select
      from pg_proc
      where proname ~ '^(pg_(try_)?advisory_(xact_)?lock|lo_(creat|from_bytea))'
        and has_function_privilege(oid, 'execute')
    ) then 'take advisory locks or store large objects in its database'
  end as excess
