-- grain: at most one row; none without two campaigns of enough posts
-- key: none
-- reads: engagement_groups
-- parameters: $minimum_posts
with campaigns as (
  select name as campaign, engagement_rate as rate, rated_posts as n
  from engagement_groups
  where dimension = 'campaign'
    and not is_previous
    and name <> '(none)'
    and rated_posts >= $minimum_posts::bigint
),
total as (
  select engagement_rate as overall
  from engagement_groups
  where dimension = 'total' and not is_previous
)
select
  '{campaign:text} had the highest rate, {rate:rate} (n = {n:count}), against {overall:rate} overall' as text,
  campaign,
  rate,
  n,
  overall
from campaigns
cross join total
where (select count(*) from campaigns) >= 2 and rate > overall
order by rate desc, campaign
limit 1;
