-- grain: at most one row; none under 2 profiles
-- key: none
-- reads: report_posts
-- parameters: none
with profiles as (
  select
    coalesce(any_value(profile), profile_id) as profile,
    exact_sum(emv) as emv
  from report_posts
  group by workspace, profile_id
),
total as (
  select exact_sum(emv) as emv
  from report_posts
),
ranked as (
  select
    profile,
    profiles.emv / total.emv as emv_share,
    row_number() over (order by profiles.emv desc nulls last, profile) as rank,
    count(*) over () as profiles,
    min(profiles.emv) over () as least_emv
  from profiles
  cross join total
  where total.emv > 0
),
leaders as (
  select
    any_value(profiles) as profiles,
    any_value(profile) filter (where rank = 1) as first,
    any_value(profile) filter (where rank = 2) as second,
    any_value(emv_share) filter (where rank = 1) as first_share,
    any_value(emv_share) filter (where rank = 2) as second_share
  from ranked
  having min(least_emv) >= 0 or count(least_emv) = 0
)
select
  case
    when profiles = 2 or first_share >= 0.5 then '{first:text} brought {first_share:share} of the EMV'
    else '{first:text} and {second:text} carry {both_share:share} of the EMV'
  end as text,
  first,
  second,
  first_share,
  first_share + second_share as both_share
from leaders
where profiles >= 2;
