-- grain: one person who deleted posts; one row for the automatic deletions
-- key: removed_by, is_automatic
-- reads: removed_groups
select
  name as removed_by,
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
from removed_groups
where dimension = 'person'
order by removed_posts desc, emv desc nulls last, is_automatic, name;
