-- grain: at most one row: the first sentence of the page; none without a post
-- reads: leading_total, led_text, report_facts
select
  case
    when posts = 0 then '{all_posts|Your post belongs to no|None of your # posts belongs to a} campaign.'
    when emv is null
      then '{campaigns|Your campaign has|Your # campaigns have} {posts:count} {posts|post|posts} of unknown EMV.{led_text:phrase}{outsiders:phrase}'
    when emv <= 0
      then '{campaigns|Your campaign has|Your # campaigns have} {posts:count} {posts|post|posts}, with an EMV of **{emv:money}**.{outsiders:phrase}'
    else '{subject:phrase} {earning_campaigns|earned|earned} **{emv:money}** of media value with {with_emv:count} {with_emv|post|posts}{part:phrase}.{outsiders:phrase}'
  end as text,
  ', {emv_share:share} of the EMV of all posts' as part,
  ' {outside:count} {outside|post was|posts were} published outside the dates of {outside|its campaign|their campaigns}.' as outsiders,
  case
    when earning_campaigns < campaigns then '{earning_campaigns:count} of your {campaigns|campaign|# campaigns}'
    else '{campaigns|Your campaign|Your # campaigns}'
  end as subject,
  led_text() as led_text,
  led,
  earning_campaigns,
  campaigns,
  campaigns as whole,
  posts,
  posts_with_emv as with_emv,
  all_posts,
  emv,
  case when emv < all_emv then share_of(emv, all_emv, least_emv) end as emv_share,
  nullif(posts_outside_dates, 0) as outside
from report_facts
cross join leading_total('campaign_sums')
where all_posts > 0;
