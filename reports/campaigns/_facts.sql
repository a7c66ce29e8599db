-- grain: one row: all posts of campaigns, beside all posts of the report
-- reads: campaign_list, report_posts, summary_of
with whole as (
  select count(*) as all_posts, exact_sum(emv) as all_emv, min(emv) as least_emv
  from report_posts
),
listed as (
  select
    count(*) filter (where posts = 0) as campaigns_without_posts,
    count(*) filter (where emv > 0) as earning_campaigns,
    count(*) filter (where contains(dates_from, 'post')) as dated_by_posts,
    count(*) filter (where campaigns > 1) as shared_names
  from campaign_list
)
select totals.*, totals.emv / nullif(all_emv, 0) as emv_share, all_posts - totals.posts as posts_without_campaign, whole.*, listed.*
from summary_of('campaign_sums', 'campaign posts') as totals
cross join whole
cross join listed;
