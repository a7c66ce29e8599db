-- grain: at most one row: the labels that had posts before, and have none now
-- key: none
-- reads: engagement_gone
-- parameters: none
select
  case when groups = 1 then 'One label' else '{groups:count} labels' end
    || ' had posts only in the period compared with: '
    || case when posts = 1 then 'one post' else '{posts:count} posts' end
    || case
      when engagements is null then ''
      when round(engagements) = 1 then ' with 1 engagement'
      else ' with {engagements:count} engagements'
    end
    || '. In the rate before of the total, in no row.' as text,
  groups,
  posts,
  engagements
from engagement_gone
where dimension = 'label';
