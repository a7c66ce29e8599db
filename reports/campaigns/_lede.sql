-- grain: at most one row: what the page says first
-- key: none
-- reads: campaign_totals, report_posts
-- parameters: none
with whole as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  'Your '
    || case when campaigns = 1 then 'campaign' else '{campaigns:count} campaigns' end
    || ' earned **{emv:money}** of media value with {posts:count} '
    || case when posts = 1 then 'post' else 'posts' end
    || case
      when campaign_totals.emv / whole.emv between 0 and 0.9995 then ', {emv_share:share} of what all posts earned.' else '.'
    end
    || case
      when posts_outside_dates = 1 then ' {outside:count} of them lies outside the dates of its campaign.'
      when posts_outside_dates > 1 then ' {outside:count} of them lie outside the dates of their campaign.'
      else ''
    end as text,
  campaigns,
  posts,
  campaign_totals.emv,
  campaign_totals.emv / nullif(whole.emv, 0) as emv_share,
  posts_outside_dates as outside
from campaign_totals
cross join whole
where is_current and campaign_totals.emv > 0 and whole.emv > 0;
