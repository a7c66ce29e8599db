-- grain: at most one row; none with fewer than 10 posts
-- reads: quality_facts
select
  '{impressions:phrase}{views:phrase}' as text,
  case
    when posts_without_impressions = 0 then 'All {posts|# post has|# posts have} impressions'
    else '{without_impressions:count} of {posts|# post|# posts} {without_impressions|has|have} no impressions'
  end as impressions,
  case
    when videos = 0 then ''
    when videos_not_synced = 0 then ', and {videos|the one video has|all # videos have} views'
    else '; {without_views:count} of {videos|# video|# videos} {without_views|has|have} no views'
  end as views,
  posts,
  posts_without_impressions as without_impressions,
  videos,
  videos_not_synced as without_views
from quality_facts
where posts >= 10;
