-- grain: one of the five posts with the highest rate or of the five with the lowest; of several kinds of profile, three of each
-- key: workspace, linkedin_post_id
-- reads: report_posts
-- parameters: $minimum_impressions
with judged as (
  select
    *,
    finite(engagements / impression_count) as engagement_rate
  from report_posts
  where impression_count >= $minimum_impressions::bigint and engagement_rate is not null
),
-- pages and members engage at different rates, so each kind is ranked by itself
kinds as (
  select case when count(distinct coalesce(kind, 'unknown')) > 1 then 3 else 5 end as max_per_side
  from judged
),
ranked as (
  select
    *,
    row_number() over (
      partition by kind
      order by engagement_rate desc, impression_count desc, workspace, linkedin_post_id
    ) as rank,
    count(*) over (partition by kind) as posts
  from judged
  cross join kinds
),
-- fewer than eight posts are one list; of more, no post is among both the highest and the lowest
sided as (
  select
    *,
    case
      when rank <= least(max_per_side, case when posts < 8 then posts else (posts + 1) // 2 end) then 'highest rate'
      when posts >= 8 and rank > posts - least(max_per_side, posts // 2) then 'lowest rate'
    end as side
  from ranked
)
select
  side,
  kind,
  rank,
  columns(post_columns()),
  engagement_rate,
  impression_count as impressions,
  engagements,
  interactions,
  columns(getvariable('_interaction_pattern')) as '\1s',
  is_young
from sided
where side is not null
order by kind_order(kind), rank;
