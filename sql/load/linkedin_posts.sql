-- grain: a LinkedIn post that the load touches, as its last reading has it
-- key: workspace, linkedin_post_id
-- reads: new_responses, readings, linkedin_posts
-- parameters: none
create or replace temp table touched_posts as
select distinct workspace, linkedin_post_id
from readings
semi join new_responses using (workspace, run_id, seq);

create or replace temp table replaced_posts as
from linkedin_posts
semi join touched_posts using (workspace, linkedin_post_id);

delete from linkedin_posts
using replaced_posts as replaced
where linkedin_posts.workspace = replaced.workspace
  and linkedin_posts.linkedin_post_id = replaced.linkedin_post_id;

insert into linkedin_posts by name
with versions as (
  from readings
  semi join touched_posts using (workspace, linkedin_post_id)
),
-- max_by passes over nulls: what was once given outlives a later null
known as (
  select
    workspace,
    linkedin_post_id,
    max(reading_id) as reading_id,
    min(fetched_at) as first_seen_at,
    max_by(run_id, reading_id) as run_id,
    max_by(post_id, reading_id) as post_id,
    max_by(columns('^(.*_count|engagement|emv|video_watch_time_seconds)$'), reading_id) as '\0'
  from versions
  group by workspace, linkedin_post_id
)
select
  known.* exclude (run_id),
  versions.profile_id,
  versions.url,
  versions.commentary,
  versions.type,
  versions.published_at,
  versions.extra,
  versions.fetched_at as last_seen_at
from known
join versions using (workspace, linkedin_post_id, reading_id, run_id);

-- For the summary. A value that was restated counts as a change; a new time of reading alone does not.
create or replace temp table post_effects as
with before as (
  select * exclude (first_seen_at, last_seen_at, reading_id)
  from replaced_posts
),
now as (
  select * exclude (first_seen_at, last_seen_at, reading_id)
  from linkedin_posts
  semi join replaced_posts using (workspace, linkedin_post_id)
)
select
  (select count(*) from touched_posts) - count(*) as added,
  count(*) filter (where now is distinct from before) as changed,
  count(*) filter (where now is not distinct from before) as unchanged,
  -- with a count that is much smaller than before: only then sql/views/data_warnings.sql may have something new
  count(*) filter (
    where list_bool_or(
      list_transform(
        list_zip(
          [
            now.like_count, now.comment_count, now.share_count, now.click_count, now.save_count, now.send_count,
            now.impression_count, now.video_view_count, now.video_viewer_count, now.video_watch_time_seconds
          ],
          [
            before.like_count, before.comment_count, before.share_count, before.click_count,
            before.save_count, before.send_count, before.impression_count, before.video_view_count,
            before.video_viewer_count, before.video_watch_time_seconds
          ]
        ),
        lambda pair: pair[2] > 0 and pair[1] <= 0.75 * pair[2]
      )
    )
  ) as fallen
from now
join before
  on before.workspace = now.workspace
  and before.linkedin_post_id = now.linkedin_post_id;
