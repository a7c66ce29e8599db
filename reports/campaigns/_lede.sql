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
    when totals.emv is null
      then '{subject:phrase} {campaigns|has|have} {posts:count} {posts|post|posts} of unknown EMV.{outsiders:phrase}'
    when totals.emv <= 0
      then '{subject:phrase} {campaigns|has|have} {posts:count} {posts|post|posts}, with an EMV of **{emv:money}**.{outsiders:phrase}'
    else '{subject:phrase} {campaigns|earned|earned} **{emv:money}** of media value with {posts:count} {posts|post|posts}{part:phrase}.{outsiders:phrase}'
  end as text,
  case campaigns when 1 then 'Your campaign' else 'Your {campaigns:count} campaigns' end as subject,
  case
    when whole.emv > 0 and totals.emv / whole.emv between 0 and 0.9995 then ', {emv_share:share} of the EMV of all posts'
    else ''
  end as part,
  case
    when posts_outside_dates > 0
      then ' {outside:count} {outside|was|were} published outside the dates of the campaign.'
    else ''
  end as outsiders,
  campaigns,
  totals.posts,
  whole.posts as all_posts,
  totals.emv,
  totals.emv / nullif(whole.emv, 0) as emv_share,
  posts_outside_dates as outside
from campaign_totals as totals
cross join whole
where is_current and whole.posts > 0;
