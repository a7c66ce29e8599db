-- grain: one video of either period; one group of videos; one dimension; at most one sentence; one video of which figures expired
-- key: is_previous, workspace, linkedin_post_id; is_previous, dimension, workspace, name, day; dimension; none; workspace, linkedin_post_id
-- reads: report_posts, report_previous, report_settings, linkedin_post_snapshots
-- parameters: none
--
-- What the sections share. video_posts: the videos of the period and of the one to compare with (is_previous).
-- video_groups: their sums by dimension ('total', 'kind', 'month', 'profile', 'campaign', 'label'); a month of the
-- previous period stands under its counterpart. video_gone: the groups that had videos in the previous period
-- alone. video_mixture: what to say wherever pages and members are added
-- up. video_expired: videos of which a figure that was known before is missing in the newest reading.
create or replace temp view video_posts as
with both_periods as (
  select false as is_previous, *
  from report_posts
  union all by name
  select true as is_previous, *
  from report_previous
)
select
  is_previous,
  workspace,
  linkedin_post_id,
  profile_id,
  profile,
  kind,
  campaign,
  labels,
  published_month,
  is_young,
  impression_count,
  video_view_count,
  video_viewer_count,
  video_watch_time_seconds,
  case
    when is_previous then (published_month + to_months(previous_months))::date
    else published_month
  end as month
from both_periods
cross join report_settings
where type = 'Video';

create or replace temp table video_groups as
with members as (
  select 'total' as dimension, null::varchar as group_workspace, null::varchar as name, null::date as day, *
  from video_posts
  union all
  select 'kind', null, kind, null, *
  from video_posts
  union all
  select 'month', null, null, month, *
  from video_posts
  where not is_previous or month is not null
  union all
  select 'profile', workspace, profile_id, null, *
  from video_posts
  union all
  select 'campaign', null, coalesce(campaign, '(none)'), null, *
  from video_posts
  union all
  select 'label', null, unnest(case when len(labels) = 0 then ['(none)'] else labels end), null, *
  from video_posts
)
select
  is_previous,
  dimension,
  group_workspace as workspace,
  name,
  day,
  -- one profile has one of each
  max(profile) as profile,
  max(kind) as kind,
  count(*) as videos,
  count(*) filter (where video_view_count is null) as videos_not_synced,
  sum(impression_count) as impressions,
  sum(video_view_count) as views,
  sum(video_viewer_count) as viewers,
  sum(video_watch_time_seconds) as watch_time_seconds,
  ratio_of_sums(video_view_count, impression_count) as view_rate,
  ratio_of_sums(video_view_count, video_viewer_count) as views_per_viewer,
  ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view,
  ratio_of_sums(video_watch_time_seconds, video_viewer_count) as seconds_per_viewer,
  sum(video_view_count) filter (where is_young) as young_views
from members
group by is_previous, dimension, group_workspace, name, day;

create or replace temp view video_gone as
select
  dimension,
  count(*) as groups,
  sum(videos)::bigint as videos,
  sum(views) as views
from video_groups as before
where is_previous
  and not exists (
    select 1
    from video_groups as shown
    where not shown.is_previous
      and shown.dimension = before.dimension
      and shown.workspace is not distinct from before.workspace
      and shown.name is not distinct from before.name
      and shown.day is not distinct from before.day
  )
group by dimension;

create or replace temp table video_mixture as
with kinds as (
  select
    count(*) filter (where kind = 'page') as pages,
    count(*) filter (where kind = 'member') as members,
    count(*) filter (where kind is null) as unknown
  from video_posts
  where not is_previous and video_view_count is not null
)
select
  case
    when pages > 0 and members > 0
      then 'Pages’ views (3 seconds or more) and members’ (2 or more) are added up here; by kind they stand apart.'
    else 'Views of profiles that may be pages (3 seconds or more) or members (2 or more) are added up here.'
  end as text
from kinds
where pages > 0 and members > 0 or unknown > 0 and pages + members + unknown > 1;

create or replace temp table video_expired as
with readings as (
  select
    posts.workspace,
    posts.linkedin_post_id,
    max(snapshots.captured_on) as newest_on,
    max(snapshots.captured_on) filter (where snapshots.video_view_count is not null) as views_on,
    max(snapshots.captured_on) filter (where snapshots.video_viewer_count is not null) as viewers_on,
    max(snapshots.captured_on) filter (where snapshots.video_watch_time_seconds is not null) as watched_on
  from report_posts as posts
  join linkedin_post_snapshots as snapshots using (workspace, linkedin_post_id)
  cross join report_settings as settings
  where posts.type = 'Video' and (settings.as_of is null or snapshots.captured_on <= settings.as_of)
  group by posts.workspace, posts.linkedin_post_id
),
lost as (
  select
    *,
    list_filter(
      [
        case when views_on < newest_on then 'views' end,
        case when viewers_on < newest_on then 'viewers' end,
        case when watched_on < newest_on then 'watch time' end
      ],
      lambda figure: figure is not null
    ) as expired_figures,
    least(
      case when views_on < newest_on then views_on end,
      case when viewers_on < newest_on then viewers_on end,
      case when watched_on < newest_on then watched_on end
    ) as last_known_on
  from readings
)
select
  lost.workspace,
  lost.linkedin_post_id,
  any_value(lost.expired_figures) as expired_figures,
  any_value(lost.last_known_on) as last_known_on,
  min(snapshots.captured_on) as missing_since
from lost
join linkedin_post_snapshots as snapshots using (workspace, linkedin_post_id)
where len(expired_figures) > 0 and snapshots.captured_on > last_known_on
group by lost.workspace, lost.linkedin_post_id;
