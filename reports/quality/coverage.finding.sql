-- grain: at most one row; none with fewer than 10 posts
-- reads: report_facts
select
  '{impressions:phrase}{views:phrase}' as text,
  case
    when posts_without_impressions = 0 then 'All {posts|# post has|# posts have} impressions'
    else '{posts_without_impressions:count} of {posts|# post|# posts} {posts_without_impressions|has|have} no impressions'
  end as impressions,
  case
    when videos = 0 then ''
    when videos_not_synced = 0 then ', and {videos|the one video has|all # videos have} views'
    else '; {videos_not_synced:count} of {videos|# video|# videos} {videos_not_synced|has|have} no views'
  end as views,
  *
from report_facts
where posts >= 10;
