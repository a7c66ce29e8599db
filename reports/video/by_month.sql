-- grain: one month from the first to the last with videos, including those without; videos without a time are under an empty month
-- key: month
select
  month,
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
  views_change,
  young_views as not_final
from months_of('video_sums')
order by month nulls last;
