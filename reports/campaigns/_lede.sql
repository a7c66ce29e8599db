-- grain: at most one row: what the page says first; none without a post
-- key: none
-- reads: campaign_totals, report_posts
-- parameters: none
with whole as (
  select count(*) as posts, exact_sum(emv) as emv
  from report_posts
)
select
  case
    when campaign_totals.posts = 0
      then case when whole.posts = 1 then 'Your post belongs' else 'None of your {all_posts:count} posts belongs' end
        || case when whole.posts = 1 then ' to no campaign.' else ' to a campaign.' end
    else 'Your '
      || case when campaigns = 1 then 'campaign' else '{campaigns:count} campaigns' end
      || case
        when campaign_totals.emv > 0 and campaign_totals.emv < 10
          then ' earned **{emv:money_exact}** of media value with {posts:count} '
        when campaign_totals.emv > 0 then ' earned **{emv:money}** of media value with {posts:count} '
        when campaigns = 1 then ' has {posts:count} '
        else ' have {posts:count} '
      end
      || case when campaign_totals.posts = 1 then 'post' else 'posts' end
      || case
        when campaign_totals.emv is null then ', of no known EMV.'
        when campaign_totals.emv <= 0 then ', with an EMV of **{emv:money_exact}**.'
        when whole.emv > 0 and campaign_totals.emv / whole.emv between 0 and 0.9995
          then ', {emv_share:share} of what all posts earned.'
        else '.'
      end
      || case
        when posts_outside_dates = 1 then ' {outside:count} of them lies outside the dates of its campaign.'
        when posts_outside_dates > 1 then ' {outside:count} of them lie outside the dates of their campaign.'
        else ''
      end
  end as text,
  campaigns,
  campaign_totals.posts,
  whole.posts as all_posts,
  campaign_totals.emv,
  campaign_totals.emv / nullif(whole.emv, 0) as emv_share,
  posts_outside_dates as outside
from campaign_totals
cross join whole
where is_current and whole.posts > 0;
