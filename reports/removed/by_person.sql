-- grain: one name of who deleted posts; one row of those that no person did
-- key: removed_by, is_automatic
-- reads: report_removed, report_all
-- parameters: none
with people as (
  select
    removed_by,
    count(*) as removed_posts,
    sum(impression_count) as impressions,
    exact_sum(engagements) as engagements,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    min(removed_at) as first_removed_at,
    max(removed_at) as last_removed_at
  from report_removed
  group by removed_by
),
total as (
  select exact_sum(emv) as emv
  from report_all
)
select
  coalesce(people.removed_by, '(automatic)') as removed_by,
  people.removed_posts,
  people.impressions,
  people.engagements,
  people.emv,
  people.effective_cpm,
  people.emv / nullif(total.emv, 0) as emv_share,
  people.first_removed_at,
  people.last_removed_at,
  -- a person may be named (automatic)
  people.removed_by is null as is_automatic
from people
cross join total
order by people.removed_posts desc, people.emv desc nulls last, people.removed_by nulls last;
