-- grain: one stage of one kind of profile
-- key: kind, stage
-- reads: report_posts
with videos as (
  select kind, impression_count, video_view_count, video_viewer_count
  from report_posts
  where type = 'Video'
    and impression_count is not null
    and video_view_count is not null
    and video_viewer_count is not null
),
kinds as (
  select
    kind as profile_kind,
    count(*) as videos,
    sum(impression_count) as impressions,
    sum(video_view_count) as views,
    sum(video_viewer_count) as viewers
  from videos
  group by kind
),
stages as (
  select profile_kind, 1 as position, 'Impressions' as stage, impressions as value, null as before, videos
  from kinds
  union all
  select profile_kind, 2, 'Views', views, impressions, videos
  from kinds
  union all
  select profile_kind, 3, 'Viewers', viewers, views, videos
  from kinds
),
named as (
  select
    kind_title(profile_kind) as kind,
    kind_order(profile_kind) as kind_position,
    *,
    (select count(*) from kinds) as kinds
  from stages
)
select
  kind,
  stage,
  case
    when kinds = 1 then stage
    else case kind when 'Pages' then 'Pages’ ' when 'Members' then 'Members’ ' else 'Others’ ' end || lower(stage)
  end as label,
  value,
  value / nullif(before, 0) as rate,
  videos
from named
order by kind_position, position;
