-- grain: at most one row: the first sentence of the page; none without posts
-- reads: report_removed, report_all
with removed as (
  select
    count(*) as posts,
    count(distinct (workspace, profile_id)) as profiles,
    count(emv) as posts_with_emv,
    exact_sum(emv) as emv
  from report_removed
),
total as (
  select count(*) as posts_total, exact_sum(emv) as emv_total
  from report_all
)
select
  case
    when posts = 0 then 'None of the {posts_total:count} {posts_total|post|posts} was removed.'
    when emv is null then '{removed:phrase} {posts|Its|Their} EMV is unknown.'
    else '{removed:phrase} {subject:phrase} **{emv:money}** of media value{part:phrase}.'
  end as text,
  case
    when posts < posts_total then '{posts:count} of {posts_total:count} posts {posts|was|were} removed, from {profiles:count} {profiles|profile|profiles}.'
    when posts = 1 then 'The one post was removed.'
    else 'All {posts:count} posts were removed, from {profiles:count} {profiles|profile|profiles}.'
  end as removed,
  case
    when posts_with_emv < posts then 'The {posts_with_emv:count} with known EMV had earned'
    when posts = 1 then 'It had earned'
    else 'They had earned'
  end as subject,
  case
    when posts < posts_total and emv / nullif(emv_total, 0) between 0.00001 and 0.99999
      then ', {emv_share:share} of the EMV of all posts'
    else ''
  end as part,
  posts,
  profiles,
  posts_total,
  posts_with_emv,
  emv,
  emv / nullif(emv_total, 0) as emv_share
from removed
cross join total
where posts_total > 0;
