-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_gone, report_posts
-- parameters: none
with overlapping as (
  select
    count(*) filter (where len(labels) > 1) as posts,
    fsum(emv * greatest(len(labels), 1) order by emv, len(labels)) / nullif(exact_sum(emv), 0) as shares
  from report_posts
),
facts as (
  select
    1 as position,
    case
      when posts = 1 then '{posts:count} post has several labels and counts under each'
      else '{posts:count} posts have several labels and count under each'
    end
      || case when shares > 1.0005 then ': the shares add up to {shares:share}.' else '.' end as text,
    posts,
    shares,
    null::bigint as n,
    null::double as gone_emv
  from overlapping
  where posts > 0
  union all
  select 2, text, null, null, n, gone_emv
  from emv_gone
  where dimension = 'label'
)
select text, posts, shares, n, gone_emv
from facts
order by position;
