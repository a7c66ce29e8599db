-- grain: at most one row: the first sentence of the page; none without posts
-- reads: report_removed, report_all
with removed as (
  select count(*) as posts, count(emv) as posts_with_emv, exact_sum(emv) as emv
  from report_removed
),
total as (
  select count(*) as posts_total, exact_sum(emv) as emv_total
  from report_all
)
select
  case
    when posts = 0 then 'None of the {posts_total:count} {posts_total|post|posts} was removed.'
    when posts = posts_total then case posts when 1 then 'The one post was' else 'All {posts:count} posts were' end || ' removed.'
    else '{posts:count} of {posts_total:count} posts {posts|was|were} removed.'
  end
    || case
      when posts = 0 then ''
      when emv is null then ' {posts|Its|Their} EMV is unknown.'
      else
        case
          when posts_with_emv = posts then ' {posts|It|They} had earned'
          else ' The {posts_with_emv:count} with known EMV had earned'
        end
        -- a small sum without its cents would say 0
        || case when posts_with_emv = 1 or abs(emv) < 100 then ' **{emv:money_exact}**' else ' **{emv:money}**' end
        || ' of media value'
        || case when posts < posts_total and emv / nullif(emv_total, 0) between 0.00001 and 0.99999
          then ', {emv_share:share} of the EMV of all posts.' else '.' end
    end as text,
  posts,
  posts_total,
  posts_with_emv,
  emv,
  emv / nullif(emv_total, 0) as emv_share
from removed
cross join total
where posts_total > 0;
