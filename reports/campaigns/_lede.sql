-- grain: at most one row: the first sentence of the page; none without a post
-- reads: campaign_totals, report_posts
with whole as (
  select count(*) as posts, exact_sum(emv) as emv, min(emv) as least
  from report_posts
)
select
  case
    when totals.posts = 0 then '{all_posts|Your post belongs to no|None of your # posts belongs to a} campaign.'
    when totals.emv is null
      then '{campaigns|Your campaign has|Your # campaigns have} {posts:count} {posts|post|posts} of unknown EMV.{outsiders:phrase}'
    when totals.emv <= 0
      then '{campaigns|Your campaign has|Your # campaigns have} {posts:count} {posts|post|posts}, with an EMV of **{emv:money}**.{outsiders:phrase}'
    else '{campaigns|Your campaign|Your # campaigns} earned **{emv:money}** of media value with {with_emv:count} {with_emv|post|posts}{part:phrase}.{outsiders:phrase}'
  end as text,
  ', {emv_share:share} of the EMV of all posts' as part,
  ' {outside:count} {outside|post was|posts were} published outside the dates of {outside|its campaign|their campaigns}.' as outsiders,
  campaigns,
  totals.posts,
  posts_with_emv as with_emv,
  whole.posts as all_posts,
  totals.emv,
  case when totals.emv < whole.emv then share_of(totals.emv, whole.emv, least) end as emv_share,
  nullif(posts_outside_dates, 0) as outside
from campaign_totals as totals
cross join whole
where is_current and whole.posts > 0;
