-- grain: at most one row; none if no profile clearly leads a campaign of several, also without its largest post
-- reads: campaign_posts
with parts as (
  select
    campaign,
    any_value(profile) as profile,
    exact_sum(emv) as emv,
    max(emv) as largest,
    min(emv) as smallest
  from campaign_posts
  where emv is not null
  group by campaign, workspace, profile_id
),
ranked as (
  select
    *,
    finite(
      fsum(emv) over (partition by campaign order by emv rows between unbounded preceding and unbounded following)
    ) as campaign_emv,
    min(smallest) over (partition by campaign) as smallest_emv,
    is_clearly_more(emv - largest, lead(emv) over (partition by campaign order by emv desc), 'emv') as leads
  from parts
  qualify row_number() over (partition by campaign order by emv desc) = 1
)
select
  '{profile:text} accounts for {campaign_share:share} of the EMV of {campaign:text}' as text,
  profile,
  campaign,
  emv / campaign_emv as campaign_share
from ranked
where leads and smallest_emv >= 0
order by campaign_emv desc, campaign
limit 1;
