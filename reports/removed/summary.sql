-- grain: one row: all removed posts of the report
-- reads: report_removed, report_unlinked_removals, removed_groups, removed_total
with removed as (
  select
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    sum(interactions) as interactions,
    count(*) filter (where emv is null) as posts_without_emv,
    count(distinct (workspace, profile_id)) as profiles,
    count(*) filter (where impression_count is null) as posts_without_impressions,
    count(removed_by) as removed_by_person,
    count(*) filter (where removed_by is null) as removed_automatically
  from report_removed
),
unlinked as (
  select count(*) as unlinked_removals
  from report_unlinked_removals
)
select
  removed_groups.removed_posts,
  removed_groups.posts_total,
  profiles,
  removed_groups.impressions,
  removed_groups.engagements,
  engagement_rate,
  interactions,
  removed_groups.emv,
  removed_groups.effective_cpm,
  removed_groups.emv_share,
  removed_total.emv_total,
  posts_without_emv,
  posts_without_impressions,
  removed_by_person,
  removed_automatically,
  removed_groups.first_removed_at,
  removed_groups.last_removed_at,
  unlinked_removals
from removed_groups
cross join removed_total
cross join removed
cross join unlinked
where removed_groups.dimension = 'all';
