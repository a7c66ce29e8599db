-- grain: one row: all removed posts, and all posts
-- reads: removed_groups, removed_total, report_removed, report_settings, report_unlinked_removals
with removed as (
  select
    count(distinct (workspace, profile_id)) as profiles,
    count(distinct removed_by) as people,
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    sum(interactions) as interactions,
    count(emv) as posts_with_emv,
    count(removed_by) as removed_by_person,
    count(*) filter (where removed_by is null) as removed_automatically,
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where impression_count is null) as without_impressions,
    count(*) filter (where engagements is null) as without_engagements,
    count(*) filter (where published_at is null) as without_time,
    count(*) filter (where removed_month is null) as without_month,
    count(*) filter (where removed_at < published_at) as before_publication,
    count(*) filter (where emv_source = 'profile_cpm') as by_profile_cpm,
    count(*) filter (where has_negative_count) as negative,
    (select count(*) from report_unlinked_removals) as unlinked
  from report_removed
)
select removed_groups.*, removed.*, emv_total, least_emv, has_period, cpm
from removed_groups
cross join removed_total
cross join removed
cross join report_settings
where dimension = 'all';
