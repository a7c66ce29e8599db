-- grain: at most one row; none where every profile's kind is known
-- key: none
-- reads: report_posts
-- parameters: none
select
  case when count(*) = 1 then '{n:count} post is' else '{n:count} posts are' end
    || ' of profiles of which it is not known whether they are pages or members: no clicks, saves or sends are expected of them.' as text,
  count(*) as n
from report_posts
where kind is null
having count(*) > 0;
