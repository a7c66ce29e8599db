-- grain: a LinkedIn post that the load touches, as in its last reading
-- key: workspace, linkedin_post_id
-- reads: new_responses, readings, linkedin_posts
-- parameters: none
create or replace temp table touched_posts as
select workspace, linkedin_post_id, max(reading_id) as reading_id
from readings
semi join new_responses using (workspace, run_id, seq)
group by workspace, linkedin_post_id;

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
-- max_by ignores nulls, so a metric keeps its last known value
with known as (
  select
    workspace,
    linkedin_post_id,
    max(reading_id) as reading_id,
    max_by(rowid, reading_id) as last_row,
    min(fetched_at) as first_seen_at,
    max_by(post_id, reading_id) as post_id,
    max_by(columns('^(.*_count|engagement|emv|video_watch_time_seconds)$'), reading_id) as '\0'
  from readings
  semi join touched_posts as touched
    on touched.workspace = readings.workspace
    and touched.linkedin_post_id = among_own(readings.linkedin_post_id)
  group by workspace, linkedin_post_id
)
select
  known.* exclude (last_row),
  readings.profile_id,
  readings.url,
  readings.commentary,
  readings.type,
  readings.published_at,
  readings.extra,
  readings.fetched_at as last_seen_at
from known
join readings on readings.rowid = known.last_row;
