-- grain: the whole load
-- key: none
-- reads: touched_posts, replaced_posts, linkedin_posts
-- parameters: none
with before as (
  select
    * exclude (first_seen_at, last_seen_at, reading_id),
    list_value(*columns('^(.*_count|video_watch_time_seconds)$')) as counts
  from replaced_posts
),
now as (
  select
    * exclude (first_seen_at, last_seen_at, reading_id),
    list_value(*columns('^(.*_count|video_watch_time_seconds)$')) as counts
  from linkedin_posts
)
select
  (select count(*) from touched_posts) - count(*) as added,
  -- a restated value counts as a change; a new time of reading alone does not
  count(*) filter (where now is distinct from before) as changed,
  count(*) filter (where now is not distinct from before) as unchanged,
  -- a count that fell sharply may cause a warning in sql/views/data_warnings.sql
  bool_or(
    list_bool_or(
      list_transform(
        list_zip(now.counts, before.counts),
        lambda pair: pair[2] > 0 and pair[1] <= 0.75 * pair[2]
      )
    )
  ) as has_fallen
from now
join before
  on before.workspace = now.workspace
  and before.linkedin_post_id = among_own(now.linkedin_post_id);
