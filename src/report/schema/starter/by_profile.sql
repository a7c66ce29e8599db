-- grain: one profile of a workspace
-- key: workspace, profile_id
-- reads: report_posts
-- parameters: $price
with priced as (
  -- report_posts has all filters behind it: period, profiles, labels, removed posts …
  select workspace, profile_id, profile, engagements * $price::double as worth, engagements
  from report_posts
),
profiles as (
  select
    workspace,
    profile_id,
    any_value(profile) as profile,
    count(*) as posts,
    count(worth) as posts_with_worth,
    -- a sum that does not depend on the order of rows; null, not 0, where nothing is known
    exact_sum(engagements) as engagements,
    exact_sum(worth) as worth
  from priced
  group by workspace, profile_id
),
total as (
  select exact_sum(worth) as worth
  from priced
)
select
  coalesce(profiles.profile, profiles.profile_id) as profile,
  profiles.workspace,
  profiles.profile_id,
  profiles.posts,
  profiles.posts_with_worth,
  profiles.engagements,
  profiles.worth,
  profiles.worth / nullif(profiles.posts_with_worth, 0) as worth_per_post,
  profiles.worth / nullif(total.worth, 0) as worth_share
from profiles
cross join total
-- a total order: the same data give the same file
order by worth desc nulls last, profiles.workspace, profiles.profile_id;
