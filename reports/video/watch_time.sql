-- grain: one kind of profile, of videos with watch time and views
-- key: kind
-- reads: video_posts
select
  kind_title(video_posts.kind) as kind,
  count(seconds) as videos,
  exact_sum(seconds) / nullif(count(seconds), 0) as mean_seconds,
  case when count(seconds) >= 10 then quantile_cont(seconds, 0.25) end as seconds_p25,
  case when count(seconds) >= 10 then median(seconds) end as seconds_p50,
  case when count(seconds) >= 10 then quantile_cont(seconds, 0.75) end as seconds_p75,
  ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view
from video_posts
group by video_posts.kind
having count(seconds) > 0
order by kind_order(video_posts.kind);
