-- A value that cannot be read costs its field, not its record: a post may lack its address and its type, too.
alter table readings alter column url drop not null;
alter table readings alter column type drop not null;
alter table linkedin_posts alter column url drop not null;
alter table linkedin_posts alter column type drop not null;

-- The columns whose values were given and could not be read.
alter table readings add column if not exists unreadable varchar[];
alter table linkedin_posts add column if not exists unreadable varchar[];

-- The field of a value that could not be read, as the API names it; null where the whole record was rejected.
-- key: source, field, payload_sha256
alter table rejected_records add column if not exists field varchar;
