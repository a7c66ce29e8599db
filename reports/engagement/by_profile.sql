-- grain: one profile of one workspace
-- key: workspace, profile_id
-- reads: engagement_groups, report_months, report_posts
-- parameters: none
with profiles as (
  select name as profile_id, *
  from engagement_groups
  where dimension = 'profile' and not is_previous
),
previous as (
  select workspace, name as profile_id, engagement_rate as previous_rate
  from engagement_groups
  where dimension = 'profile' and is_previous
),
by_month as (
  select
    workspace,
    profile_id,
    published_month as month,
    ratio_of_sums(engagements, impression_count) as rate
  from report_posts
  where published_month is not null
  group by workspace, profile_id, published_month
),
-- a line needs two months
trends as (
  select
    profiles.workspace,
    profiles.profile_id,
    case when count(*) >= 2 then list(by_month.rate order by report_months.month) end as trend
  from profiles
  cross join report_months
  left join by_month using (workspace, profile_id, month)
  group by profiles.workspace, profiles.profile_id
)
select
  coalesce(profile, profile_id) as profile,
  workspace,
  kind,
  posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  likes,
  comments,
  shares,
  clicks,
  saves,
  sends,
  rate_p25,
  rate_p50,
  rate_p75,
  previous_rate,
  engagement_rate - previous_rate as rate_change,
  trend,
  profile_id
from profiles
left join previous using (workspace, profile_id)
left join trends using (workspace, profile_id)
order by engagement_rate desc nulls last, posts desc, profile, workspace, profile_id;
