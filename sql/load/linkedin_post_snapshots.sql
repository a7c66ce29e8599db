-- grain: a LinkedIn post's last reading of a day that the load touches
-- key: workspace, linkedin_post_id, captured_on
-- reads: derived_responses, touched_posts, replaced_posts, linkedin_posts, readings
-- parameters: $timezone, $all_readings (true if all days are derived, as after a change of time zone)
--
-- The readings of a record that is superseded belong to the post that supersedes it.
create or replace temp table superseded_records as
select workspace, linkedin_post_id, superseded_by
from linkedin_posts
where superseded_by is not null;

-- Posts that have gained or lost a record.
create or replace temp table regrouped_posts as
with moved as (
  select
    before.workspace,
    coalesce(before.superseded_by, before.linkedin_post_id) as post_before,
    coalesce(touched.superseded_by, touched.linkedin_post_id) as post_now
  from replaced_posts as before
  join touched_posts as touched using (workspace, linkedin_post_id)
)
select distinct workspace, unnest([post_before, post_now]) as linkedin_post_id
from moved
where post_before <> post_now;

create or replace temp macro post_readings(zone) as table
select
  readings.workspace,
  coalesce(superseded.superseded_by, readings.linkedin_post_id) as linkedin_post_id,
  timezone(zone, readings.fetched_at)::date as captured_on,
  readings.reading_id,
  readings.rowid as reading_row,
  readings.run_id,
  readings.seq
from readings
left join superseded_records as superseded using (workspace, linkedin_post_id);

create or replace temp table touched_days as
with touched_readings as (
  from post_readings($timezone)
  semi join derived_responses using (workspace, run_id, seq)
  union all
  from post_readings($timezone)
  semi join regrouped_posts using (workspace, linkedin_post_id)
)
select workspace, linkedin_post_id, captured_on, max(reading_id) as reading_id
from touched_readings
group by workspace, linkedin_post_id, captured_on;

delete from linkedin_post_snapshots
using touched_days as touched
where linkedin_post_snapshots.workspace = touched.workspace
  and among_own(linkedin_post_snapshots.linkedin_post_id) = touched.linkedin_post_id
  and (linkedin_post_snapshots.captured_on = touched.captured_on or $all_readings);

delete from linkedin_post_snapshots
using regrouped_posts as regrouped
where linkedin_post_snapshots.workspace = regrouped.workspace
  and among_own(linkedin_post_snapshots.linkedin_post_id) = regrouped.linkedin_post_id;

insert into linkedin_post_snapshots by name
with last_readings as (
  select
    workspace,
    linkedin_post_id,
    captured_on,
    max_by(reading_row, reading_id) as last_row
  from post_readings($timezone)
  semi join touched_days as touched using (workspace, linkedin_post_id, captured_on)
  group by workspace, linkedin_post_id, captured_on
)
select
  last_readings.* exclude (last_row),
  readings.reading_id,
  readings.fetched_at as captured_at,
  columns('^(.*_count|engagement|emv|video_watch_time_seconds)$')
from last_readings
join readings on readings.rowid = last_readings.last_row;
