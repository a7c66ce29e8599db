-- grain: one profile, one month of publication and where its EMV came from
-- key: workspace, profile_id, month, emv_source
-- reads: report_profiles, quality_cpm
select
  coalesce(quality_cpm.profile, quality_cpm.profile_id) as profile,
  quality_cpm.workspace,
  quality_cpm.month,
  case quality_cpm.emv_source
    when 'cpm' then 'the CPM given for this report'
    when 'api' then 'the service'
    when 'profile_cpm' then 'the profile''s CPM'
  end as origin,
  quality_cpm.emv_source,
  quality_cpm.posts,
  quality_cpm.effective_cpm,
  quality_cpm.min_cpm,
  quality_cpm.max_cpm,
  quality_cpm.has_changed,
  report_profiles.cpm as profile_cpm,
  quality_cpm.profile_id
from quality_cpm
left join report_profiles using (workspace, profile_id)
order by profile, quality_cpm.workspace, quality_cpm.profile_id, quality_cpm.month nulls last,
  quality_cpm.emv_source;
