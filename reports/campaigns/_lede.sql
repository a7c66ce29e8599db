-- grain: at most one row: the first sentence of the page; none without a post
-- reads: campaign_totals, report_posts
with whole as (
  select count(*) as posts, exact_sum(emv) as emv
  from report_posts
)
select
  case
    when totals.posts = 0 and whole.posts = 1 then 'Your post belongs to no campaign.'
    when totals.posts = 0 then 'None of your {all_posts:count} posts belongs to a campaign.'
    else 'Your ' || case campaigns when 1 then 'campaign' else '{campaigns:count} campaigns' end
      || case
        when totals.emv > 0 then ' earned **{emv:' || case when totals.emv < 10 then 'money_exact' else 'money' end
          || '}** of media value with '
        else ' {campaigns|has|have} '
      end
      || '{posts:count} {posts|post|posts}'
      || case
        when totals.emv is null then ' of unknown EMV.'
        when totals.emv <= 0 then ', with an EMV of **{emv:money_exact}**.'
        when whole.emv > 0 and totals.emv / whole.emv between 0 and 0.9995
          then ', {emv_share:share} of the EMV of all posts.'
        else '.'
      end
      || case
        when posts_outside_dates > 0
          then ' {outside:count} {outside|was|were} published outside the dates of the campaign.'
        else ''
      end
  end as text,
  campaigns,
  totals.posts,
  whole.posts as all_posts,
  totals.emv,
  totals.emv / nullif(whole.emv, 0) as emv_share,
  posts_outside_dates as outside
from campaign_totals as totals
cross join whole
where is_current and whole.posts > 0;
