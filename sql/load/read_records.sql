-- grain: a record of a LinkedIn post that a part of the load touches, as in its last reading
-- key: workspace, linkedin_post_id
-- reads: derived_responses, derived_posts, readings, linkedin_posts, shared_posts
-- parameters: $part (from 0), $part_count (the load derives its posts in parts, by a hash of their ids)
--
-- Returns the number of records that post_identities.sql has to compare with others.
--
-- The tables have no order. A large load that need not keep one takes a fifth less time and memory.
set preserve_insertion_order = false;

create or replace temp table read_records as
with new_readings as not materialized (
  select workspace, linkedin_post_id, profile_id, url, reading_id, readings.rowid as row
  from readings
  semi join derived_responses using (workspace, run_id, seq)
  where hash(linkedin_post_id) % $part_count::ubigint = $part::ubigint
),
touched as (
  select workspace, linkedin_post_id
  from new_readings
  union all
  select workspace, linkedin_post_id
  from derived_posts
  where hash(linkedin_post_id) % $part_count::ubigint = $part::ubigint
),
last_readings as (
  from new_readings
  union all by name
  select workspace, linkedin_post_id, profile_id, last_profile_id, url, reading_id, true as is_known,
    address_hash(workspace, address) as known_hash
  from linkedin_posts
  semi join touched
    on touched.workspace = linkedin_posts.workspace
    and touched.linkedin_post_id = second_key(linkedin_posts.linkedin_post_id)
)
select
  workspace,
  linkedin_post_id,
  any_value(profile_id) as profile_id,
  max_by(coalesce(last_profile_id, profile_id), reading_id) as last_profile_id,
  -- least and greatest ignore nulls
  least(min(profile_id), min(last_profile_id)) <> greatest(max(profile_id), max(last_profile_id)) as has_several_profiles,
  address_of(max_by(url, reading_id)) as address,
  max(reading_id) as reading_id,
  if(count(*) = 1, any_value(row), null) as only_row,
  any_value(known_hash) as known_hash,
  count(is_known) > 0 as is_known
from last_readings
group by workspace, linkedin_post_id;

-- The records that have or had an address in common with them are derived as well.
insert into read_records by name
with touched_hashes as (
  select unnest([address_hash(workspace, address), known_hash]) as hash
  from read_records
)
select
  workspace,
  linkedin_post_id,
  profile_id,
  last_profile_id,
  address,
  reading_id,
  address_hash(workspace, address) as known_hash,
  true as is_known
from linkedin_posts
semi join touched_hashes on hash = address_hash(workspace, address)
anti join (from read_records where is_known) as known_records
  on known_records.workspace = linkedin_posts.workspace
  and known_records.linkedin_post_id = second_key(linkedin_posts.linkedin_post_id);

insert into derived_profiles
select distinct workspace, last_profile_id
from read_records;

-- Nearly every record is of one profile and has an address of its own. The readings of the others say which post and whose
-- post they are: post_identities.sql asks them.
create or replace temp table compared_records as
with hashes as (
  select address_hash(workspace, address) as hash
  from read_records
  union all
  select known_hash
  from read_records
  where known_hash is distinct from address_hash(workspace, address)
),
shared_hashes as (
  select hash
  from hashes
  group by hash
  having count(hash) > 1
)
select workspace, linkedin_post_id, address, reading_id, read_records.rowid as record_row
from read_records
where has_several_profiles
  or address_hash(workspace, address) in (from shared_hashes)
  or known_hash in (from shared_hashes)
  or (workspace, linkedin_post_id) in (select (workspace, linkedin_post_id) from shared_posts)
  or (workspace, linkedin_post_id) in (select (workspace, linkedin_post_id) from derived_posts);

create or replace temp table post_identities (record_row bigint, profile_id varchar, counts_as varchar);

select count(*)
from compared_records;
