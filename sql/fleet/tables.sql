-- grain: none; the tables in PostgreSQL by which machines that share a lake divide their work
-- key: none
-- reads: none
--
-- leases: the holder of a piece of work, such as `read s03`, until expires_at. A released lease has expired. token
-- grows with each holder. finished_work: the work that a scheduled run need not do again. A machine that makes them at
-- the same time as another one waits for its commit and then finds them.
do $$
begin
  create schema if not exists postledger;
  create table if not exists postledger.leases (
    name text primary key,
    holder text,
    host text,
    token bigint not null default 0,
    expires_at timestamptz
  );
  create table if not exists postledger.finished_work (
    job text not null,
    slot timestamptz not null,
    name text not null,
    finished_at timestamptz not null default now(),
    primary key (job, slot, name)
  );
exception
  when unique_violation or duplicate_schema or duplicate_table then null;
end
$$
