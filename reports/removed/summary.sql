-- grain: one row: all removed posts of the report
-- key: none
-- reads: report_removed, report_all, report_unlinked_removals
-- parameters: none
with removed as (
  select
    count(*) as removed_posts,
    sum(impression_count) as impressions,
    exact_sum(engagements) as engagements,
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    sum(interactions) as interactions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    count(*) filter (where emv is null) as posts_without_emv,
    count(removed_by) as removed_by_person,
    count(*) filter (where removed_by is null) as removed_automatically,
    min(removed_at) as first_removed_at,
    max(removed_at) as last_removed_at
  from report_removed
),
total as (
  select count(*) as posts_total, exact_sum(emv) as emv_total
  from report_all
),
unlinked as (
  select count(*) as unlinked_removals
  from report_unlinked_removals
)
select
  removed_posts,
  posts_total,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  emv,
  effective_cpm,
  emv / nullif(emv_total, 0) as emv_share,
  emv_total,
  posts_without_emv,
  removed_by_person,
  removed_automatically,
  first_removed_at,
  last_removed_at,
  unlinked_removals
from removed
cross join total
cross join unlinked;
