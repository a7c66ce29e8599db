-- grain: one profile, one month of publication and where its EMV came from
-- key: workspace, profile_id, month, emv_source
-- reads: report_posts, report_profiles
-- parameters: none
with priced as (
  select
    workspace,
    profile_id,
    profile,
    published_month as month,
    emv_source,
    emv,
    impression_count,
    effective_cpm,
    -- what a CPM can have been, when EMV is given to the cent
    (emv - 0.005) * 1000 / impression_count as least_cpm,
    (emv + 0.005) * 1000 / impression_count as most_cpm
  from report_posts
  where emv is not null and impression_count > 0
),
groups as (
  select
    workspace,
    profile_id,
    month,
    emv_source,
    any_value(profile) as profile,
    count(*) as posts,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    min(effective_cpm) as min_cpm,
    max(effective_cpm) as max_cpm,
    -- no single CPM explains them all
    max(least_cpm) > min(most_cpm) as has_changed
  from priced
  group by workspace, profile_id, month, emv_source
)
select
  coalesce(groups.profile, groups.profile_id) as profile,
  groups.workspace,
  groups.month,
  groups.emv_source,
  groups.posts,
  groups.effective_cpm,
  groups.min_cpm,
  groups.max_cpm,
  groups.has_changed,
  report_profiles.cpm as profile_cpm,
  groups.profile_id
from groups
left join report_profiles using (workspace, profile_id)
order by profile, groups.workspace, groups.profile_id, groups.month nulls last, groups.emv_source;
