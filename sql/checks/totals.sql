-- grain: a derived table that has not one row, as new as its newest reading, for each key that the load touches
-- key: table_name
-- reads: linkedin_posts, linkedin_post_snapshots, touched_posts, touched_days
-- parameters: none
with touched as (
  select 'linkedin_posts' as table_name, count(*) as keys
  from touched_posts
  union all
  select 'linkedin_post_snapshots' as table_name, count(*) as keys
  from touched_days
),
derived as (
  select 'linkedin_posts' as table_name, count(*) as derived_rows
  from linkedin_posts as derived
  join touched_posts as touched using (workspace, linkedin_post_id)
  where derived.reading_id >= touched.reading_id
  union all
  select 'linkedin_post_snapshots' as table_name, count(*) as derived_rows
  from linkedin_post_snapshots as derived
  join touched_days as touched using (workspace, linkedin_post_id, captured_on)
  where derived.reading_id >= touched.reading_id
)
select table_name, touched.keys, derived.derived_rows
from touched
join derived using (table_name)
where touched.keys <> derived.derived_rows;
