-- grain: a LinkedIn post that the load touches, as its last reading has it
-- key: workspace, linkedin_post_id
-- reads: new_responses, readings, linkedin_posts
-- parameters: none
create or replace temp table touched_posts as
select distinct workspace, linkedin_post_id
from readings
semi join new_responses using (workspace, run_id, seq);

create or replace temp table derived_posts as
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
with derived as (
  select * exclude (first_seen_at, last_seen_at, reading_id)
  from (
    from linkedin_posts
    where false
    union all by name
    from derived_posts
  )
),
known as (
  select * exclude (first_seen_at, last_seen_at, reading_id)
  from linkedin_posts
  semi join touched_posts using (workspace, linkedin_post_id)
)
select
  count(*) filter (where known.linkedin_post_id is null) as added,
  count(*) filter (where known.linkedin_post_id is not null and derived is distinct from known) as changed,
  count(*) filter (where derived is not distinct from known) as unchanged,
  -- with a count that is much smaller than before: only then sql/views/data_warnings.sql may have something new
  count(*) filter (
    where list_bool_or(
      list_transform(
        list_zip(
          [
            derived.like_count, derived.comment_count, derived.share_count, derived.click_count,
            derived.save_count, derived.send_count, derived.impression_count, derived.video_view_count,
            derived.video_viewer_count, derived.video_watch_time_seconds
          ],
          [
            known.like_count, known.comment_count, known.share_count, known.click_count,
            known.save_count, known.send_count, known.impression_count, known.video_view_count,
            known.video_viewer_count, known.video_watch_time_seconds
          ]
        ),
        lambda pair: pair[1] <= 0.75 * pair[2]
      )
    )
  ) as fallen
from derived
left join known
  on known.workspace = derived.workspace
  and known.linkedin_post_id = derived.linkedin_post_id;

delete from linkedin_posts
using touched_posts as touched
where linkedin_posts.workspace = touched.workspace
  and linkedin_posts.linkedin_post_id = touched.linkedin_post_id;

insert into linkedin_posts by name
from derived_posts;
