-- grain: at most one row; none without a campaign that has EMV
-- key: none
-- reads: report_posts
-- parameters: none
with campaigns as (
  select campaign, exact_sum(emv) as emv
  from report_posts
  where campaign is not null
  group by campaign
),
total as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  case when (select count(*) from campaigns) = 1 then '{campaign:text} brought' else '{campaign:text} leads with' end
    || ' {emv:money}, {emv_share:share} of the EMV' as text,
  campaign,
  campaigns.emv,
  campaigns.emv / total.emv as emv_share
from campaigns
cross join total
where campaigns.emv > 0 and total.emv > 0
order by campaigns.emv desc, campaign
limit 1;
