-- grain: one row: all posts of campaigns, each once, the total of the tables
-- reads: campaign_totals, report_posts
with whole as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  campaign_totals.* exclude (kind, first_post, last_post, interactions),
  campaign_totals.emv / nullif(whole.emv, 0) as emv_share
from campaign_totals
cross join whole
where is_current;
