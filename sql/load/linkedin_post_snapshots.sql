-- grain: a LinkedIn post's last reading of a day that the load touches
-- key: workspace, linkedin_post_id, captured_on
-- reads: new_responses, readings, loaded_responses
-- parameters: $timezone, $all_days (after a change of time zone every day is another)
create or replace temp table touched_days as
select distinct workspace, linkedin_post_id, timezone($timezone, fetched_at)::date as captured_on
from readings
semi join (
  select workspace, run_id, seq
  from new_responses
  union all
  select workspace, run_id, seq
  from loaded_responses
  where $all_days
) as wanted using (workspace, run_id, seq);

delete from linkedin_post_snapshots
using touched_days as touched
where linkedin_post_snapshots.workspace = touched.workspace
  and linkedin_post_snapshots.linkedin_post_id = touched.linkedin_post_id
  and (linkedin_post_snapshots.captured_on = touched.captured_on or $all_days);

insert into linkedin_post_snapshots by name
select unnest(max_by(days, days.reading_id))
from (
  select
    workspace,
    linkedin_post_id,
    timezone($timezone, fetched_at)::date as captured_on,
    reading_id,
    fetched_at as captured_at,
    columns('^(.*_count|engagement|emv|video_watch_time_seconds)$')
  from readings
  semi join touched_days using (workspace, linkedin_post_id)
) as days
semi join touched_days as touched
  on touched.workspace = days.workspace
  and touched.linkedin_post_id = days.linkedin_post_id
  and touched.captured_on = days.captured_on
group by days.workspace, days.linkedin_post_id, days.captured_on;
