-- grain: one LinkedIn post with a reading by that day (linkedin_posts); one reading of a post with values that could not be read (unreadable_then); one post (posts); one attempt at a window by that day (extract_windows); one approval that was asked for by that day (approvals); one thread begun by that day (inline_comments)
-- key: workspace, linkedin_post_id; workspace, linkedin_post_id, reading_id; workspace, post_id; run_id, workspace, profile_id, start_date, end_date; workspace, post_id, approval_id; workspace, post_id, thread_id
-- reads: linkedin_posts, readings, unreadable_posts, posts_then, posts, post_details, extract_windows, approvals, inline_comments
-- parameters: $as_of, $timezone
--
-- The tables that post_performance and data_warnings read, as of a past day. They replace those of
-- scope.sql. Names, labels, campaigns and types are today's.
create or replace temp table unreadable_then as
select readings.*
from readings
semi join unreadable_posts using (workspace, linkedin_post_id);

create or replace temp table posts_then as
with last_known as (
  -- arg_max ignores nulls, so each metric has its last known value
  select
    workspace,
    linkedin_post_id,
    max(fetched_at) as last_seen_at,
    arg_max(columns('^(.*_(count|seconds)|engagement|emv)$'), reading_id) as '\0'
  from readings
  group by workspace, linkedin_post_id
)
select
  last_known.*,
  linkedin_posts.* not similar to
    'workspace|linkedin_post_id|last_seen_at|absent_since|unreadable|.*_(count|seconds)|engagement|emv',
  unreadable_of.unreadable,
  case when timezone($timezone::varchar, absent_since)::date <= $as_of::date then absent_since end as absent_since
from linkedin_posts
join last_known using (workspace, linkedin_post_id)
left join unreadable_of('unreadable_then') as unreadable_of using (workspace, linkedin_post_id);

create or replace temp view linkedin_posts as
from posts_then;

create or replace temp table posts as
with details as (
  select workspace, post_id, max_by({'is': status}, reading_id).is as status_before
  from post_details
  where kind = 'found'
  group by workspace, post_id
),
judged as (
  select
    posts.*,
    details.status_before,
    coalesce(timezone($timezone::varchar, removed_at)::date <= $as_of::date, false) as was_removed
  from posts
  left join details using (workspace, post_id)
)
select * exclude (was_removed, status_before) replace (
  -- a deletion gives a status too
  case when was_removed or removed_at is null then status else status_before end as status,
  case when was_removed then removed_at end as removed_at,
  case when was_removed then removed_by end as removed_by
)
from judged;

create or replace temp table extract_windows as
select *
from extract_windows
where timezone($timezone::varchar, fetched_at)::date <= $as_of::date;

-- An approval of a later day was still open. What is known of a thread is today's, without later comments; one that
-- has changed since was open.
create or replace temp table approvals as
select * replace (
  case when timezone($timezone::varchar, approved_at)::date > $as_of::date then 'Requested' else status end as status,
  case when timezone($timezone::varchar, approved_at)::date <= $as_of::date then approved_at end as approved_at
)
from approvals
where timezone($timezone::varchar, created_at)::date <= $as_of::date;

create or replace temp table inline_comments as
select * replace (
  resolved and coalesce(timezone($timezone::varchar, updated_at)::date <= $as_of::date, true) as resolved,
  list_filter(
    replies,
    lambda reply: coalesce(timezone($timezone::varchar, reply.created_at)::date <= $as_of::date, true)
  ) as replies
)
from inline_comments
where timezone($timezone::varchar, created_at)::date <= $as_of::date;
