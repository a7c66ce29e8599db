-- grain: a derived table of which the load's rows do not add up to the facts they rest on
-- key: table_name
-- reads: readings, linkedin_posts, linkedin_post_snapshots, touched_posts, touched_days
-- parameters: none
with posts as (
  select count(*) as derived_rows, coalesce(sum(reading_id), 0) as derived_sum
  from linkedin_posts
  semi join touched_posts using (workspace, linkedin_post_id)
),
last_readings as (
  select max(reading_id) as reading_id
  from readings
  semi join touched_posts using (workspace, linkedin_post_id)
  group by workspace, linkedin_post_id
),
facts as (
  select count(*) as fact_rows, coalesce(sum(reading_id), 0) as fact_sum
  from last_readings
)
select 'linkedin_posts' as table_name, derived_rows, fact_rows
from posts
cross join facts
where derived_rows <> fact_rows or derived_sum <> fact_sum
union all
select 'linkedin_post_snapshots', snapshots.n, days.n
from (
  select count(*) as n
  from linkedin_post_snapshots
  semi join touched_days using (workspace, linkedin_post_id, captured_on)
) as snapshots
cross join (
  select count(*) as n
  from touched_days
) as days
where snapshots.n <> days.n;
