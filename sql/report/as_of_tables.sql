-- grain: one LinkedIn post with a reading by that day (linkedin_posts); one post (posts); one attempt at a window by that day (extract_windows); one check of an answer by that day (window_checks)
-- key: workspace, linkedin_post_id; workspace, post_id; run_id, workspace, profile_id, start_date, end_date; workspace, run_id, profile_id, start_date, end_date
-- reads: linkedin_posts, linkedin_post_snapshots, posts, extract_windows, window_checks
-- parameters: $as_of, $timezone
--
-- The tables that post_performance and data_warnings read, as of a past day: temporary tables of the same names, which
-- take precedence. Names, labels, campaigns and types are today's.
create or replace temp table linkedin_posts as
with last_known as (
  -- arg_max leaves out nulls: each metric's last value that was given
  select
    workspace,
    linkedin_post_id,
    max(captured_at) as captured_at,
    arg_max(like_count, captured_on) as like_count,
    arg_max(comment_count, captured_on) as comment_count,
    arg_max(share_count, captured_on) as share_count,
    arg_max(click_count, captured_on) as click_count,
    arg_max(save_count, captured_on) as save_count,
    arg_max(send_count, captured_on) as send_count,
    arg_max(impression_count, captured_on) as impression_count,
    arg_max(engagement, captured_on) as engagement,
    arg_max(emv, captured_on) as emv,
    arg_max(video_view_count, captured_on) as video_view_count,
    arg_max(video_viewer_count, captured_on) as video_viewer_count,
    arg_max(video_watch_time_seconds, captured_on) as video_watch_time_seconds
  from linkedin_post_snapshots
  where captured_on <= $as_of::date
  group by workspace, linkedin_post_id
)
select linkedin_posts.* replace (
  last_known.like_count as like_count,
  last_known.comment_count as comment_count,
  last_known.share_count as share_count,
  last_known.click_count as click_count,
  last_known.save_count as save_count,
  last_known.send_count as send_count,
  last_known.impression_count as impression_count,
  last_known.engagement as engagement,
  last_known.emv as emv,
  last_known.video_view_count as video_view_count,
  last_known.video_viewer_count as video_viewer_count,
  last_known.video_watch_time_seconds as video_watch_time_seconds,
  last_known.captured_at as last_seen_at
)
from linkedin_posts
join last_known using (workspace, linkedin_post_id);

create or replace temp table posts as
with judged as (
  select
    *,
    coalesce(timezone($timezone::varchar, removed_at)::date <= $as_of::date, false) as was_removed
  from posts
)
select * exclude (was_removed) replace (
  case when was_removed then removed_at end as removed_at,
  case when was_removed then removed_by end as removed_by
)
from judged;

create or replace temp table extract_windows as
select *
from extract_windows
where timezone($timezone::varchar, fetched_at)::date <= $as_of::date;

create or replace temp table window_checks as
select *
from window_checks
where timezone($timezone::varchar, checked_at)::date <= $as_of::date;
