-- grain: at most one row: the profile whose posts bring most each
-- reads: report_posts
-- parameters: $price, $minimum_posts
with profiles as (
  select
    workspace,
    profile_id,
    any_value(profile) as profile,
    exact_sum(engagements) * $price::double / nullif(count(engagements), 0) as worth_per_post
  from report_posts
  group by workspace, profile_id
  having count(engagements) >= $minimum_posts::bigint
)
select '{profile:text} leads with {worth_per_post:money_exact} a post' as text, profile, worth_per_post
from profiles
where worth_per_post > 0 and (select count(*) from profiles) > 1
order by worth_per_post desc, workspace, profile_id
limit 1;
