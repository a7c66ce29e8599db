-- grain: one kind of profile
-- key: kind
-- reads: video_groups
-- parameters: none
with kinds as (
  select name as profile_kind, *
  from video_groups
  where dimension = 'kind' and not is_previous
),
previous as (
  select name as profile_kind, views as previous_views
  from video_groups
  where dimension = 'kind' and is_previous
)
select
  case kinds.profile_kind when 'page' then 'Pages' when 'member' then 'Members' else 'Kind not known' end
    as kind,
  case kinds.profile_kind when 'page' then '3 s' when 'member' then '2 s' end as view_from,
  videos,
  videos_not_synced,
  impressions,
  views,
  viewers,
  watch_time_seconds,
  view_rate,
  views_per_viewer,
  seconds_per_view,
  seconds_per_viewer,
  previous_views,
  case when previous_views > 0 then views / previous_views - 1 end as views_change
from kinds
left join previous on previous.profile_kind is not distinct from kinds.profile_kind
order by case kinds.profile_kind when 'page' then 1 when 'member' then 2 else 3 end;
