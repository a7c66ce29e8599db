-- grain: one card at the head of the page, in its order
-- key: label
-- reads: report_posts, report_previous
-- parameters: $price
with shown as (
  select count(*) as posts, exact_sum(engagements) * $price::double as worth
  from report_posts
),
previous as (
  -- empty without dates; nothing to compare with is null, not 0
  select nullif(count(*), 0) as posts, exact_sum(engagements) * $price::double as worth
  from report_previous
),
cards as (
  select
    1 as position,
    'Worth' as label,
    'money' as format,
    shown.worth as value,
    previous.worth as previous,
    -- the same figure, where integers keep all of their digits
    'summary.worth' as cell
  from shown, previous
  union all
  select 2, 'Posts', 'count', shown.posts::double, previous.posts::double, 'summary.posts'
  from shown, previous
)
select label, format, value, previous, null::double[] as trend, null::varchar as note, cell
from cards
order by position;
