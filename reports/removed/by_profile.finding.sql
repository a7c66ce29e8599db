-- grain: at most one row; none with fewer than 2 profiles with removed posts, or if none clearly had the most EMV removed without its largest post
-- reads: removed_groups
with ranked as (
  select
    *,
    count(*) over () as profiles,
    is_clearly_more(emv - largest_emv, coalesce(lead(emv) over (order by emv desc nulls last), 0), 'emv') as leads
  from removed_groups
  where dimension = 'profile'
  qualify row_number() over (order by emv desc nulls last) = 1
)
select
  'The {posts:count} removed {posts|post|posts} of {name:text} had earned the most EMV, {emv:money}' as text,
  name,
  posts,
  emv
from ranked
where profiles >= 2 and leads;
