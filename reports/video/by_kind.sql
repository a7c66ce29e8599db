-- grain: one kind of profile
-- key: kind
-- reads: report_groups
select
  name as kind,
  case name when 'Pages' then '3 s' when 'Members' then '2 s' end as view_from,
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
  share_watched,
  interactions,
  previous_views,
  views_change
from report_groups
where dimension = 'kind'
order by name = 'Kind not known', name = 'Members';
