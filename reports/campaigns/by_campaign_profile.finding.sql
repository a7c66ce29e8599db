-- grain: at most one row; none where no campaign of several profiles has EMV
-- key: none
-- reads: campaign_sums
-- parameters: none
with parts as (
  select campaign, profile, emv
  from campaign_sums
  where is_current and dimension = 'profile' and not is_monthly and emv is not null
),
wholes as (
  select campaign, count(*) as profiles, exact_sum(emv) as emv, min(emv) as least_emv
  from parts
  group by campaign
)
select
  '{profile:text} carried {campaign_share:share} of {campaign:text}' as text,
  parts.profile,
  parts.campaign,
  parts.emv / wholes.emv as campaign_share
from parts
join wholes using (campaign)
where profiles > 1 and least_emv >= 0 and wholes.emv > 0
order by wholes.emv desc, parts.campaign, parts.emv desc, parts.profile
limit 1;
