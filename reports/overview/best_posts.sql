-- grain: one of the three posts with the most EMV, or of the three with the highest engagement rates
-- key: by, rank
-- reads: report_posts
-- parameters: $minimum_impressions
with posts as (
  select *, finite(engagements / impression_count) as engagement_rate
  from report_posts
),
ranked as (
  select
    'emv' as "by",
    row_number() over (order by emv desc, impression_count desc nulls last, workspace, linkedin_post_id) as rank,
    *
  from posts
  where emv > 0
  union all by name
  select
    'engagement_rate' as "by",
    row_number() over (order by engagement_rate desc, impression_count desc, workspace, linkedin_post_id) as rank,
    *
  from posts
  where engagement_rate > 0 and impression_count >= $minimum_impressions::bigint
)
select
  rank,
  "by",
  case "by" when 'emv' then 'EMV' else 'Engagement rate' end as best_by,
  columns(post_columns()),
  emv,
  impression_count as impressions,
  engagement_rate,
  interactions,
  case when type = 'Video' then video_view_count end as views,
  is_young
from ranked
where rank <= 3
order by "by", rank;
