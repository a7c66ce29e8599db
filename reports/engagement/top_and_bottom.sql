-- grain: one of the ten posts with the highest rate, or of the ten with the lowest
-- key: workspace, linkedin_post_id
-- reads: report_posts
-- parameters: $minimum_impressions
with judged as (
  select
    *,
    finite(engagements / nullif(impression_count, 0)) as engagement_rate
  from report_posts
  where impression_count >= $minimum_impressions::bigint
),
ranked as (
  select
    *,
    row_number() over (
      order by engagement_rate desc, impression_count desc, workspace, linkedin_post_id
    ) as rank,
    count(*) over () as posts
  from judged
  where engagement_rate is not null
),
-- no post is among the best and the worst
sided as (
  select
    *,
    case
      when rank <= least(10, (posts + 1) // 2) then 'best'
      when rank > posts - least(10, posts // 2) then 'worst'
    end as side
  from ranked
)
select
  side,
  rank,
  workspace,
  profile,
  linkedin_post_id,
  url,
  title,
  commentary,
  type,
  published_at,
  campaign,
  labels,
  is_removed,
  engagement_rate,
  impression_count as impressions,
  engagements,
  interactions,
  like_count as likes,
  comment_count as comments,
  share_count as shares,
  click_count as clicks,
  save_count as saves,
  send_count as sends,
  kind,
  is_young
from sided
where side is not null
order by rank;
