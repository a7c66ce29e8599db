-- grain: one fact about the basis of the figures, in the page's order
-- key: text
-- reads: report_posts, review_readings
with counted as (
  select
    count(created_at) as detailed,
    count(*) filter (where created_at > published_at) as late
  from report_posts
),
reviewed as (
  select
    count(distinct (workspace, post_id)) filter (where source = 'approvals') as approved,
    count(distinct (workspace, post_id)) filter (where source = 'comments') as commented
  from review_readings
  semi join report_posts using (workspace, post_id)
  where kind = 'found'
)
select *
from coverage_of('posts', 'emv')
where position in (10, 50)
union all by name
select
  unnest([11, 12, 13, 14]) as position,
  unnest([
    '{detailed:count} with details',
    '{approved:count} with approvals read',
    '{commented:count} with comments read',
    '{late:count} created after publication'
  ]) as text,
  detailed,
  approved,
  commented,
  nullif(late, 0) as late
from counted
cross join reviewed
order by position;
