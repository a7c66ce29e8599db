-- The last day that counts of a profile that has ended. It comes from jobs.yaml at each load, as its name does.
alter table profiles add column if not exists until date;
