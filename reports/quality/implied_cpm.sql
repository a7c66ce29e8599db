-- grain: one profile, one month of publication and where its EMV came from
-- key: workspace, profile_id, month, emv_source
-- reads: report_profiles, quality_cpm
select
  coalesce(quality_cpm.profile, profile_id) as profile,
  workspace,
  month,
  case emv_source
    when 'cpm' then 'the CPM given for this report'
    when 'api' then 'the service'
    when 'profile_cpm' then 'the profile''s CPM'
  end as origin,
  emv_source,
  posts,
  effective_cpm,
  min_cpm,
  max_cpm,
  has_changed,
  cpm as profile_cpm,
  profile_id
from quality_cpm
left join report_profiles using (workspace, profile_id)
order by profile, workspace, profile_id, month nulls last, emv_source;
