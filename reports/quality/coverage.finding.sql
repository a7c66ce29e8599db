-- grain: at most one row; none with fewer than 10 posts
-- reads: report_posts
with figures as (
  select
    count(*) as posts,
    count(*) filter (where impression_count is null) as without_impressions,
    count(*) filter (where type = 'Video') as videos,
    count(*) filter (where type = 'Video' and video_view_count is null) as without_views
  from report_posts
)
select
  '{impressions:phrase}{views:phrase}' as text,
  case
    when without_impressions = 0 then 'All {posts|# post has|# posts have} impressions'
    else '{without_impressions:count} of {posts|# post|# posts} {without_impressions|has|have} no impressions'
  end as impressions,
  case
    when videos = 0 then ''
    when without_views = 0 then ', and {videos|the one video has|all # videos have} views'
    else '; {without_views:count} of {videos|# video|# videos} {without_views|has|have} no views'
  end as views,
  posts,
  without_impressions,
  videos,
  without_views
from figures
where posts >= 10;
