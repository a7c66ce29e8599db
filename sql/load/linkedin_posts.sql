-- grain: a LinkedIn post that the load touches, as in its last reading, or a record that another one supersedes
-- key: workspace, linkedin_post_id
-- reads: new_responses, loaded_responses, readings, linkedin_posts
-- parameters: $all_readings (true if all posts are derived)
--
-- The records of a profile with one address are one post: the one that was read last has the readings of all of them,
-- and supersedes the others, which keep their own.
--
-- The tables have no order. A large load that need not keep one takes a fifth less time and memory.
set preserve_insertion_order = false;

create or replace temp table derived_responses as
select workspace, run_id, seq
from new_responses
union
select workspace, run_id, seq
from loaded_responses
where $all_readings;

create or replace temp table read_records as
with new_readings as (
  select workspace, linkedin_post_id, profile_id, url, reading_id
  from readings
  semi join derived_responses using (workspace, run_id, seq)
),
last_readings as (
  from new_readings
  union all by name
  select workspace, linkedin_post_id, profile_id, url, reading_id
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
  count(*) = 1 as has_one_reading
from last_readings
group by workspace, linkedin_post_id;

-- The records that were read, and those that have or had an address in common with them.
create or replace temp table touched_posts as
with touched_addresses as (
  select workspace, profile_id, address
  from read_records
  union all
  select linkedin_posts.workspace, linkedin_posts.profile_id, linkedin_posts.address
  from linkedin_posts
  semi join read_records
    on read_records.workspace = linkedin_posts.workspace
    and read_records.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id)
),
records as (
  from read_records
  union all by name
  select
    known.workspace,
    known.linkedin_post_id,
    known.profile_id,
    known.address,
    known.reading_id,
    false as has_one_reading
  from linkedin_posts as known
  semi join touched_addresses as touched
    on touched.workspace = known.workspace
    and touched.profile_id = known.profile_id
    and touched.address = among_own(known.address)
  anti join read_records
    on read_records.workspace = known.workspace
    and read_records.linkedin_post_id = among_own(known.linkedin_post_id)
),
shared_addresses as (
  select workspace, profile_id, address
  from records
  where address is not null
  group by workspace, profile_id, address
  having count(*) > 1
),
counted as (
  select
    workspace,
    linkedin_post_id,
    first_value(linkedin_post_id) over (
      partition by workspace, profile_id, address
      order by reading_id desc, linkedin_post_id
    ) as counts_as
  from records
  semi join shared_addresses using (workspace, profile_id, address)
)
select
  workspace,
  linkedin_post_id,
  records.address,
  records.reading_id,
  case when counts_as <> linkedin_post_id then counts_as end as superseded_by,
  -- it has neither earlier readings nor those of other records
  records.has_one_reading and counts_as is null as is_single
from records
left join counted using (workspace, linkedin_post_id);

create or replace temp table replaced_posts as
from linkedin_posts
semi join touched_posts as touched
  on touched.workspace = linkedin_posts.workspace
  and touched.linkedin_post_id = among_own(linkedin_posts.linkedin_post_id);

delete from linkedin_posts
using replaced_posts as replaced
where linkedin_posts.workspace = replaced.workspace
  and among_own(linkedin_posts.linkedin_post_id) = replaced.linkedin_post_id;

insert into linkedin_posts by name
with histories as (
  select workspace, linkedin_post_id, linkedin_post_id as record_id
  from touched_posts
  where not is_single
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
select
  known.* exclude (last_row),
  readings.profile_id,
  readings.url,
  readings.commentary,
  readings.type,
  readings.published_at,
  readings.extra,
  readings.reading_id,
  readings.fetched_at as last_seen_at,
  touched.address,
  touched.superseded_by,
  superseded.superseded_at
from known
join touched_posts as touched using (workspace, linkedin_post_id)
left join superseded using (workspace, linkedin_post_id)
join readings on readings.rowid = known.last_row
union all by name
select
  readings.* exclude (run_id, seq, fetched_at, title, labels, campaign_id, campaign_name),
  readings.fetched_at as first_seen_at,
  readings.fetched_at as last_seen_at,
  touched.address
from readings
join touched_posts as touched
  on touched.workspace = readings.workspace
  and touched.linkedin_post_id = among_own(readings.linkedin_post_id)
where touched.is_single;
