-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings
-- parameters: none
with posts as (
  select
    count(*) as posts,
    count(*) filter (where video_view_count is null) as videos_not_synced,
    count(*) filter (where impression_count is null) as without_impressions,
    count(*) filter (where is_young) as young
  from report_posts
  where type = 'Video'
),
removed as (
  select count(*) as posts, sum(video_view_count) as views
  from report_removed
  where type = 'Video'
),
facts as (
  select
    1 as position,
    case when posts = 1 then '{n:count} video' else '{n:count} videos' end as text,
    posts as n,
    null::hugeint as views
  from posts
  union all
  select
    2,
    '{n:count} not synced',
    videos_not_synced,
    null
  from posts
  where videos_not_synced > 0
  union all
  select
    3,
    case
      when report_settings.removed <> 'exclude' then '{n:count} removed, shown'
      when removed.views = 1 then '{n:count} removed, 1 view left out'
      when removed.views is not null then '{n:count} removed, {views:count} views left out'
      else '{n:count} removed, left out'
    end,
    removed.posts,
    removed.views
  from removed
  cross join report_settings
  where removed.posts > 0
  union all
  select 4, '{n:count} without impressions', without_impressions, null
  from posts
  where without_impressions > 0
  union all
  select 5, '{n:count} not final, younger than 14 days', young, null
  from posts
  where young > 0
)
select text, n, views
from facts
order by position;
