-- grain: at most one row: the posts of this load, if they do not add up to the readings behind them
-- key: table_name
-- reads: readings, linkedin_posts, touched_posts
-- parameters: none
with last_readings as (
  select
    max(readings.reading_id) as reading_id,
    max_by(impression_count, readings.reading_id) as impression_count
  from readings
  join touched_posts as touched
    on touched.workspace = readings.workspace
    and touched.linkedin_post_id = second_key(readings.linkedin_post_id)
  group by readings.workspace, coalesce(touched.superseded_by, touched.linkedin_post_id)
),
facts as (
  select count(*) as n, sum(reading_id) as readings, sum(impression_count) as impressions
  from last_readings
),
posts as (
  select count(*) as n, sum(reading_id) as readings, sum(impression_count) as impressions
  from linkedin_posts
  semi join touched_posts as touched
    on touched.workspace = linkedin_posts.workspace
    and touched.linkedin_post_id = second_key(linkedin_posts.linkedin_post_id)
  where superseded_by is null
)
select 'linkedin_posts' as table_name, posts.n as derived_rows, facts.n as fact_rows
from posts
cross join facts
where posts is distinct from facts;
