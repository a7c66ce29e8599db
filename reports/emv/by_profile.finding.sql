-- grain: at most one row; none with fewer than 2 profiles, or if the first would not clearly lead without their largest posts
-- reads: emv_groups
with ranked as (
  select
    sums.*,
    emv_groups.name as profile,
    max(sums.total) filter (where rank = 3) over () as third
  from ranked_sums('profile', 'emv') as sums
  join emv_groups
    on emv_groups.dimension = 'profile'
    and sums.name = emv_groups.workspace || ' ' || emv_groups.profile_id
),
leaders as (
  select
    any_value(groups) as profiles,
    any_value(profile) filter (where rank = 1) as first,
    any_value(profile) filter (where rank = 2) as second,
    any_value(share) filter (where rank = 1) as first_share,
    sum(share) as both_share,
    bool_or(leads) filter (where rank = 1) as leads,
    is_clearly_more(min(without_largest), any_value(third), 'emv') as both_lead
  from ranked
  where rank <= 2
)
select
  case
    when leads and (profiles = 2 or first_share >= 0.5) then '{first:text} accounts for {first_share:share} of the EMV'
    when profiles > 2 and both_lead then '{first:text} and {second:text} account for {both_share:share} of the EMV'
  end as text,
  first,
  second,
  first_share,
  both_share
from leaders
where profiles >= 2;
