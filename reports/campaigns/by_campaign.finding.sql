-- grain: at most one row; none without a campaign that has EMV
-- key: none
-- reads: campaign_list, report_posts
-- parameters: none
with whole as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  case
    when (select count(*) from campaign_list where posts > 0) = 1 then '{campaign:text} brought'
    else '{campaign:text} leads with'
  end
    || ' {emv:money}, {emv_share:share} of the EMV of all posts' as text,
  campaign,
  campaign_list.emv,
  campaign_list.emv / whole.emv as emv_share
from campaign_list
cross join whole
where campaign_list.emv > 0 and whole.emv > 0
order by campaign_list.emv desc, campaign
limit 1;
