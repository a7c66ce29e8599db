-- grain: one person who deleted posts; one row for the automatic deletions
-- key: removed_by, is_automatic
-- reads: removed_sums
with people as (
  select *, removed_by is null as is_automatic
  from removed_sums
  where level = 'person'
)
select
  coalesce(removed_by, '(automatic)') as removed_by,
  removed_posts,
  impressions,
  engagements,
  emv,
  effective_cpm,
  emv_share,
  first_removed_at,
  last_removed_at,
  -- a person may have the name (automatic)
  is_automatic,
  trend
from people
order by removed_posts desc, emv desc nulls last, is_automatic, removed_by;
