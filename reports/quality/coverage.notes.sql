-- grain: at most one row; none if every profile's kind is known
-- reads: report_posts
select
  '{n:count} {n|post is|posts are} by {n|a profile that is|profiles that are} neither recognised as pages nor as members: no clicks, saves or sends are expected.' as text,
  count(*) as n
from report_posts
where kind is null
having count(*) > 0;
