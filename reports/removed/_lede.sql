-- grain: at most one row: what the page says first; none without posts
-- key: none
-- reads: report_removed, report_all
-- parameters: none
with removed as (
  select count(*) as posts, count(emv) as posts_with_emv, exact_sum(emv) as emv
  from report_removed
),
total as (
  select count(*) as posts, exact_sum(emv) as emv
  from report_all
),
compared as (
  select
    removed.posts,
    removed.posts_with_emv,
    removed.emv,
    total.posts as posts_total,
    removed.emv / nullif(total.emv, 0) as emv_share,
    -- a small sum without its cents would say 0
    removed.posts_with_emv = 1 or abs(removed.emv) < 100 as is_small
  from removed
  cross join total
  where total.posts > 0
)
select
  case
    when posts = 0 and posts_total = 1 then 'The one post was not removed.'
    when posts = 0 then 'None of the {posts_total:count} posts was removed.'
    when posts_total = 1 then 'The one post was removed.'
    when posts = posts_total then 'All {posts:count} posts were removed.'
    when posts = 1 then '1 of {posts_total:count} posts was removed.'
    else '{posts:count} of {posts_total:count} posts were removed.'
  end
    || case
      when posts = 0 then ''
      when emv is null then case when posts = 1 then ' Its EMV is not known.' else ' Their EMV is not known.' end
      else case
        when posts = 1 then ' It had'
        when posts_with_emv = posts then ' They had'
        when posts_with_emv = 1 then ' The one whose EMV is known had'
        else ' The {posts_with_emv:count} whose EMV is known had'
      end
        || case when is_small then ' **{emv:money_exact}**' else ' **{emv:money}**' end
        || ' of EMV'
        || case
          when posts < posts_total and emv_share > 0 and emv_share < 1
            then ', {emv_share:share} of that of all posts.'
          else '.'
        end
    end as text,
  posts,
  posts_total,
  posts_with_emv,
  emv,
  emv_share
from compared;
