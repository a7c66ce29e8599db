-- grain: at most one row; none without three months of enough posts, or if none does better within pages and within members
-- reads: report_grain
-- parameters: $minimum_posts
select
  case grain
    when 'week'
      then 'Posts of the week of {month:date} got {factor:decimal} times the engagement rate of the other weeks{among:phrase}'
    when 'quarter'
      then 'Posts of {month:quarter} got {factor:decimal} times the engagement rate of the other quarters{among:phrase}'
    else 'Posts of {month:month} got {factor:decimal} times the engagement rate of the other months{among:phrase}'
  end as text,
  among,
  name::date as month,
  factor
from compared_of('engagement_kinds', 'grain', $minimum_posts::bigint)
cross join report_grain
qualify is_finding and count(*) filter (where is_compared) over () >= 3
order by factor desc, name
limit 1;
