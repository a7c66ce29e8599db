-- grain: at most one row: the first sentence of the page; none without posts
-- reads: report_facts
select
  case
    when posts = 0 then '{posts_total|The one post was not|None of the # posts was} removed.'
    when emv is null then '{removed:phrase} {posts|Its|Their} EMV is unknown.'
    when emv <= 0 then '{removed:phrase} {posts|Its|Their} EMV is **{emv:money}**.'
    else '{removed:phrase} {subject:phrase} **{emv:money}** of media value{part:phrase}.'
  end as text,
  case
    when posts < posts_total then '{posts:count} of {posts_total|# post|# posts} {posts|was|were} removed, from {profiles:count} {profiles|profile|profiles}.'
    else '{posts|The one post was|All # posts were} removed, from {profiles:count} {profiles|profile|profiles}.'
  end as removed,
  case
    when posts_with_emv < posts then '{posts_with_emv|The one|The #} with known EMV had earned'
    else '{posts|It|They} had earned'
  end as subject,
  ', {emv_share:share} of the EMV of all posts' as part,
  posts,
  profiles,
  posts_total,
  posts_with_emv,
  emv,
  case when emv < emv_total then share_of(emv, emv_total, least_emv) end as emv_share
from report_facts
where posts_total > 0;
