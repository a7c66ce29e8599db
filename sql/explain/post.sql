-- grain: one post of this id or address that passes all filters except --removed
-- key: workspace, linkedin_post_id
-- reads: profiles, report_all, report_settings
-- parameters: $post
--
-- cpm: what a thousand impressions cost by its EMV.
create or replace temp table explained_cell as
select
  report_all.*,
  case emv_source when 'api' then effective_cpm when 'cpm' then report_settings.cpm when 'profile_cpm' then profiles.cpm end
    as cpm
from report_all
left join profiles using (workspace, profile_id)
cross join report_settings
where linkedin_post_id = $post
  or rtrim(split_part(report_all.url, '?', 1), '/') = rtrim(split_part($post, '?', 1), '/');
