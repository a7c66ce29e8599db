-- grain: a LinkedIn post that a part of the load touches, or a record that another one supersedes
-- key: workspace, linkedin_post_id
-- reads: read_records, post_identities, readings, linkedin_posts
create or replace temp table touched_posts as
select
  workspace,
  linkedin_post_id,
  coalesce(identities.profile_id, read_records.profile_id) as profile_id,
  address,
  reading_id,
  case when counts_as <> linkedin_post_id then counts_as end as superseded_by,
  -- A post with earlier readings, or with those of other records, has no only row.
  if(counts_as is null, only_row, null) as only_row,
  is_known
from read_records
left join post_identities as identities on record_row = read_records.rowid;

drop table read_records;

create or replace temp table replaced_posts as
from linkedin_posts
semi join (from touched_posts where is_known) as touched
  on touched.workspace = linkedin_posts.workspace
  and touched.linkedin_post_id = second_key(linkedin_posts.linkedin_post_id);

delete from linkedin_posts
using replaced_posts as replaced
where linkedin_posts.workspace = replaced.workspace
  and second_key(linkedin_posts.linkedin_post_id) = replaced.linkedin_post_id;

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
    and histories.record_id = second_key(readings.linkedin_post_id)
  group by histories.workspace, histories.linkedin_post_id
),
superseded as (
  select touched.workspace, touched.linkedin_post_id, min(readings.fetched_at) as superseded_at
  from readings
  join touched_posts as touched
    on touched.workspace = readings.workspace
    and touched.superseded_by = second_key(readings.linkedin_post_id)
    and touched.reading_id <= readings.reading_id
  group by touched.workspace, touched.linkedin_post_id
)
select known.*, touched.profile_id, touched.address, touched.superseded_by, superseded.superseded_at
from known
join touched_posts as touched using (workspace, linkedin_post_id)
left join superseded using (workspace, linkedin_post_id);

insert into linkedin_posts by name
select
  known.* exclude (last_row),
  readings.profile_id as last_profile_id,
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
  readings.profile_id as last_profile_id,
  readings.fetched_at as first_seen_at,
  readings.fetched_at as last_seen_at,
  touched.address
from readings
join touched_posts as touched on only_row = readings.rowid;
