-- grain: one kind of profile, of videos with watch time and views
-- key: kind
-- reads: report_posts
with watched as (
  select
    kind,
    video_watch_time_seconds,
    video_view_count,
    finite(video_watch_time_seconds / nullif(video_view_count, 0)) as seconds
  from report_posts
  where type = 'Video'
),
kinds as (
  select
    kind as profile_kind,
    count(seconds) as videos,
    exact_sum(seconds) / nullif(count(seconds), 0) as mean_seconds,
    quantile_cont(seconds, 0.25) as seconds_p25,
    median(seconds) as seconds_p50,
    quantile_cont(seconds, 0.75) as seconds_p75,
    ratio_of_sums(video_watch_time_seconds, video_view_count) as seconds_per_view
  from watched
  group by kind
  having count(seconds) > 0
)
select
  kind_title(profile_kind) as kind,
  videos,
  mean_seconds,
  case when videos >= 10 then seconds_p25 end as seconds_p25,
  case when videos >= 10 then seconds_p50 end as seconds_p50,
  case when videos >= 10 then seconds_p75 end as seconds_p75,
  seconds_per_view
from kinds
order by profile_kind is null, profile_kind = 'member';
