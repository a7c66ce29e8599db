-- grain: at most one row; none without removed posts, or if several people deleted as many
-- reads: report_removed
with people as (
  select removed_by, count(*) as posts
  from report_removed
  where removed_by is not null
  group by removed_by
),
ranked as (
  select *, rank() over (order by posts desc) as place, count(*) over () as people
  from people
),
first as (
  select any_value(removed_by) as removed_by, any_value(posts) as posts, any_value(people) as people
  from ranked
  where place = 1
  having count(*) = 1
),
total as (
  select count(*) as posts_total, count(*) filter (where removed_by is null) as automatic
  from report_removed
)
select
  case
    when automatic = 1 and posts_total = 1 then 'It was deleted automatically'
    when automatic = posts_total then 'All {posts_total:count} were deleted automatically'
    when posts_total = 1 then '{removed_by:text} deleted it'
    when posts = posts_total then '{removed_by:text} deleted all {posts_total:count}'
    when automatic * 2 > posts_total then '{automatic:count} of {posts_total:count} were deleted automatically'
    when people = 1 then '{removed_by:text} deleted {posts:count} of {posts_total:count}; the rest were deleted automatically'
    else '{removed_by:text} deleted {posts:count} of {posts_total:count}, more than anyone else'
  end as text,
  removed_by,
  posts,
  posts_total,
  automatic
from total
left join first on true
where posts_total > 0;
