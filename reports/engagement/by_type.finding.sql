-- grain: at most one row; none without two types of enough posts
-- key: none
-- reads: report_posts
-- parameters: $minimum_posts
with types as (
  select type, median(engagement) as rate
  from report_posts
  group by type
  having count(engagement) >= $minimum_posts::bigint
),
ends as (
  select
    arg_max(type, (rate, type)) as highest,
    max(rate) as highest_rate,
    arg_min(type, (rate, type)) as lowest,
    min(rate) as lowest_rate
  from types
)
select
  '{highest:text} posts hold the highest median, {highest_rate:rate}; {lowest:text} posts the lowest, {lowest_rate:rate}'
    as text,
  highest,
  highest_rate,
  lowest,
  lowest_rate
from ends
where highest_rate > lowest_rate;
