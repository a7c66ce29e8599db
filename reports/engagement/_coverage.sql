-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings
-- parameters: none
with posts as (
  select
    count(*) as posts,
    count(*) filter (where type = 'Video' and video_view_count is null) as videos_not_synced,
    count(*) filter (where impression_count is null) as without_impressions,
    count(*) filter (where is_young) as young
  from report_posts
),
removed as (
  select count(*) as posts, exact_sum(engagements) as engagements
  from report_removed
),
facts as (
  select
    1 as position,
    case when posts = 1 then '{n:count} post' else '{n:count} posts' end as text,
    posts as n,
    null::double as engagements
  from posts
  union all
  select
    2,
    case when videos_not_synced = 1 then '{n:count} video not synced' else '{n:count} videos not synced' end,
    videos_not_synced,
    null
  from posts
  where videos_not_synced > 0
  union all
  select
    3,
    case
      when report_settings.removed <> 'exclude' then '{n:count} removed, shown'
      when round(removed.engagements) = 1 then '{n:count} removed, 1 engagement left out'
      when removed.engagements is not null then '{n:count} removed, {engagements:count} engagements left out'
      else '{n:count} removed, left out'
    end,
    removed.posts,
    removed.engagements
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
select text, n, engagements
from facts
order by position;
