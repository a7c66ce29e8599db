-- grain: at most one row; none if every profile's kind is known
-- reads: quality_facts
select
  '{n:count} {n|post is|posts are} by {n|a profile that is recognised neither as a page nor as a member|profiles that are recognised neither as pages nor as members}: no clicks, saves or sends are expected.' as text,
  nullif(posts_without_kind, 0) as n
from quality_facts;
