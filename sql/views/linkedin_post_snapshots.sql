-- grain: one LinkedIn post and a day of the time zone of jobs.yaml: its last reading of that day
-- key: workspace, linkedin_post_id, captured_on
-- reads: readings, linkedin_posts, load_settings
--
-- The readings of a record that is superseded belong to the post that supersedes it.
create or replace view linkedin_post_snapshots as
select
  readings.workspace,
  coalesce(records.superseded_by, readings.linkedin_post_id) as linkedin_post_id,
  timezone(load_settings.timezone, readings.fetched_at)::date as captured_on,
  max(readings.fetched_at) as captured_at,
  -- arg_max would ignore nulls
  arg_max_null(columns('^(.*_(count|seconds)|engagement|emv)$'), readings.reading_id) as '\0',
  max(readings.reading_id) as reading_id
from readings
cross join load_settings
left join (
  select workspace, linkedin_post_id, superseded_by
  from linkedin_posts
  where superseded_by is not null
) as records using (workspace, linkedin_post_id)
group by all;
