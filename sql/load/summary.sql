-- grain: a part of the load
-- key: none
-- reads: touched_posts, replaced_posts, linkedin_posts
-- parameters: none
--
-- A post is compared with the record that counted before, which may be another one. If an earlier part of the load derived
-- that one, the post counts as new there and as changed here.
with before as (
  select
    coalesce(touched.superseded_by, touched.linkedin_post_id) as post,
    replaced.*
      exclude (
        linkedin_post_id, first_seen_at, last_seen_at, last_profile_id, reading_id, address, superseded_by, superseded_at,
        absent_since
      ),
    list_value(*columns('^.*_(count|seconds)$')) as counts
  from replaced_posts as replaced
  join touched_posts as touched using (workspace, linkedin_post_id)
  where replaced.superseded_by is null
  qualify row_number() over (
    partition by replaced.workspace, post
    order by replaced.reading_id desc, linkedin_post_id
  ) = 1
),
now as (
  select
    linkedin_post_id as post,
    linkedin_posts.*
      exclude (
        linkedin_post_id, first_seen_at, last_seen_at, last_profile_id, reading_id, address, superseded_by, superseded_at,
        absent_since
      ),
    list_value(*columns('^.*_(count|seconds)$')) as counts
  from linkedin_posts
),
newly_superseded as (
  select linkedin_post_id
  from touched_posts
  where superseded_by is not null
  except
  select linkedin_post_id
  from replaced_posts
  where superseded_by is not null
)
select
  (select count(*) from touched_posts where superseded_by is null) - count(*) as added,
  -- a restated value counts as a change; a new time of reading alone does not
  count(*) filter (where now is distinct from before) as changed,
  count(*) filter (where now is not distinct from before) as unchanged,
  -- what may cause a warning in sql/views/data_warnings.sql: a count that fell sharply, and posts that are newly
  -- superseded
  coalesce(
    bool_or(
      list_bool_or(
        list_transform(
          list_zip(now.counts, before.counts),
          lambda pair: pair[2] > 0 and pair[1] <= 0.75 * pair[2]
        )
      )
    ),
    false
  )
  or exists (from newly_superseded) as may_have_warnings
from now
join before
  on before.workspace = now.workspace
  and before.post = second_key(now.post);
