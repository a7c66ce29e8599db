-- grain: one sentence, in the page's order
-- key: text
-- reads: report_posts
with overlapping as (
  select
    count(*) filter (where len(labels) > 1) as n,
    fsum(emv * greatest(len(labels), 1) order by emv, len(labels)) / nullif(exact_sum(emv), 0) as shares
  from report_posts
),
facts as (
  select
    1 as position,
    '{n:count} {n|post has|posts have} several labels and {n|counts|count} under each'
      || case when shares > 1.0005 then ': shares add up to {shares:share}.' else '.' end as text,
    n,
    shares
  from overlapping
  where n > 0
  union all by name
  select 2 as position, *
  from gone_notes('posts', 'label', 'emv')
)
select text, n, shares, amount
from facts
order by position;
