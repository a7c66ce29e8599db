-- grain: at most one row; none without removed posts
-- reads: report_removed
with total as (
  select
    count(*) as posts_total,
    count(*) filter (where removed_by is null) as automatic,
    count(distinct removed_by) as people
  from report_removed
)
select
  case
    when automatic = 1 and posts_total = 1 then 'It was deleted automatically'
    when automatic = posts_total then 'All {posts_total:count} were deleted automatically'
    when posts_total = 1 then 'It was deleted by a person'
    when automatic = 0 then 'All {posts_total:count} were deleted by {people:count} {people|person|people}'
    else '{automatic:count} of {posts_total:count} {automatic|was|were} deleted automatically, the rest by {people:count} {people|person|people}'
  end as text,
  posts_total,
  automatic,
  people
from total
where posts_total > 0;
