-- grain: a LinkedIn post that a part of the load touches, as in its last reading, or a record that another one supersedes
-- key: workspace, linkedin_post_id
-- reads: derived_responses, readings, linkedin_posts
-- parameters: $part (from 0), $part_count (the load derives its posts in parts, by a hash of their ids)
--
-- The records of a profile with one address are one post: the one that was read last has the readings of all of them,
-- and supersedes the others, which keep their own.
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
last_readings as (
  from new_readings
  union all by name
  select workspace, linkedin_post_id, profile_id, url, reading_id, true as is_known,
    place_of(workspace, profile_id, address) as known_place
  from linkedin_posts
  semi join new_readings
    on new_readings.workspace = linkedin_posts.workspace
    and new_readings.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id)
)
select
  workspace,
  linkedin_post_id,
  max_by(profile_id, reading_id) as profile_id,
  address_of(max_by(url, reading_id)) as address,
  max(reading_id) as reading_id,
  if(count(*) = 1, any_value(row), null) as only_row,
  any_value(known_place) as known_place,
  count(is_known) > 0 as is_known
from last_readings
group by workspace, linkedin_post_id;

-- The records that have or had an address in common with them are derived as well.
insert into read_records by name
with touched_places as (
  select unnest([place_of(workspace, profile_id, address), known_place]) as place
  from read_records
)
select
  workspace,
  linkedin_post_id,
  profile_id,
  address,
  reading_id,
  true as is_known
from linkedin_posts
semi join touched_places on place = place_of(workspace, profile_id, address)
anti join (from read_records where is_known) as known_records
  on known_records.workspace = linkedin_posts.workspace
  and known_records.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id);

create or replace temp table touched_posts as
with places as (
  select place_of(workspace, profile_id, address) as place
  from read_records
),
shared_places as (
  select place
  from places
  group by place
  having count(place) > 1
),
counted as (
  select
    read_records.rowid as record_row,
    first_value(linkedin_post_id) over (
      partition by workspace, profile_id, address
      order by reading_id desc, linkedin_post_id
    ) as counts_as
  from read_records
  semi join shared_places on place = place_of(workspace, profile_id, address)
)
select
  workspace,
  linkedin_post_id,
  read_records.address,
  read_records.reading_id,
  case when counts_as <> linkedin_post_id then counts_as end as superseded_by,
  -- A post with earlier readings, or with those of other records, has no only row.
  if(counts_as is null, only_row, null) as only_row,
  is_known
from read_records
left join counted on record_row = read_records.rowid;

insert into derived_profiles
select distinct workspace, profile_id
from read_records;

drop table read_records;

create or replace temp table replaced_posts as
from linkedin_posts
semi join (from touched_posts where is_known) as touched
  on touched.workspace = linkedin_posts.workspace
  and touched.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id);

delete from linkedin_posts
using replaced_posts as replaced
where linkedin_posts.workspace = replaced.workspace
  and among_own(linkedin_posts.linkedin_post_id) = replaced.linkedin_post_id;

-- What is known of each post with more than one reading. It is a table so that DuckDB sees how few these posts are when it
-- looks up their last readings. Otherwise it would hold all readings with their texts.
create or replace temp table known_posts as
with histories as (
  select workspace, linkedin_post_id, linkedin_post_id as record_id
  from touched_posts
  where only_row is null
  union all
  select workspace, superseded_by as linkedin_post_id, linkedin_post_id as record_id
  from touched_posts
  where superseded_by is not null
),
-- max_by ignores nulls, so a metric keeps its last known value
known as (
  select
    histories.workspace,
    histories.linkedin_post_id,
    max_by(readings.rowid, reading_id) filter (where record_id = histories.linkedin_post_id) as last_row,
    min(fetched_at) as first_seen_at,
    max_by(post_id, reading_id) as post_id,
    max_by(columns('^(.*_(count|seconds)|engagement|emv)$'), reading_id) as '\0'
  from readings
  join histories
    on histories.workspace = readings.workspace
    and histories.record_id = among_own(readings.linkedin_post_id)
  group by histories.workspace, histories.linkedin_post_id
),
superseded as (
  select touched.workspace, touched.linkedin_post_id, min(readings.fetched_at) as superseded_at
  from readings
  join touched_posts as touched
    on touched.workspace = readings.workspace
    and touched.superseded_by = among_own(readings.linkedin_post_id)
    and touched.reading_id <= readings.reading_id
  group by touched.workspace, touched.linkedin_post_id
)
select known.*, touched.address, touched.superseded_by, superseded.superseded_at
from known
join touched_posts as touched using (workspace, linkedin_post_id)
left join superseded using (workspace, linkedin_post_id);

insert into linkedin_posts by name
select
  known.* exclude (last_row),
  readings.profile_id,
  readings.url,
  readings.commentary,
  readings.type,
  readings.published_at,
  readings.extra,
  readings.reading_id,
  readings.fetched_at as last_seen_at
from known_posts as known
join readings on readings.rowid = known.last_row
union all by name
select
  readings.* exclude (run_id, seq, fetched_at, title, labels, campaign_id, campaign_name),
  readings.fetched_at as first_seen_at,
  readings.fetched_at as last_seen_at,
  touched.address
from readings
join touched_posts as touched on only_row = readings.rowid;
