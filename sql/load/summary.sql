-- grain: the whole load
-- key: none
-- reads: touched_posts
-- parameters: none
with effects as (
  select
    case
      when bool_or(effect = 'new') then 'new'
      when bool_or(effect = 'changed') then 'changed'
      else 'unchanged'
    end as effect
  from touched_posts
  group by workspace, linkedin_post_id
)
select
  count(*) filter (where effect = 'new') as new_posts,
  count(*) filter (where effect = 'changed') as changed_posts,
  count(*) filter (where effect = 'unchanged') as unchanged_posts
from effects
order by all;
