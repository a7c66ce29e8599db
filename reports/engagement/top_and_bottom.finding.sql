-- grain: at most one row; none under 20 posts above the floor
-- key: none
-- reads: report_posts
-- parameters: $minimum_impressions
with judged as (
  select finite(engagements / nullif(impression_count, 0)) as rate
  from report_posts
  where impression_count >= $minimum_impressions::bigint
),
ranked as (
  select rate, row_number() over (order by rate desc) as rank, count(*) over () as posts
  from judged
  where rate is not null
)
select
  'The tenth best post engaged at {best:rate}, the tenth worst at {worst:rate}' as text,
  any_value(rate) filter (where rank = 10) as best,
  any_value(rate) filter (where rank = posts - 9) as worst
from ranked
having count(*) >= 20 and best > worst;
