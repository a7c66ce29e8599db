-- grain: at most one row; none without two types of enough posts with EMV
-- key: none
-- reads: report_posts
-- parameters: $minimum_posts
with types as (
  select type, exact_sum(emv) / count(emv) as emv_per_post
  from report_posts
  group by type
  having count(emv) >= $minimum_posts::bigint
),
total as (
  select exact_sum(emv) / nullif(count(emv), 0) as emv_per_post
  from report_posts
)
select
  'Posts of the type {type:text} earned the most each: {emv_per_post:money}, against {overall:money} overall' as text,
  type,
  types.emv_per_post,
  total.emv_per_post as overall
from types
cross join total
where (select count(*) from types) >= 2 and types.emv_per_post > total.emv_per_post
order by types.emv_per_post desc, type
limit 1;
