-- grain: one post of this id or address that passes all filters except --removed
-- key: workspace, linkedin_post_id
-- reads: profiles, report_all, report_settings
-- parameters: $post
create or replace temp table explained_cell as
select
  report_all.*,
  profiles.cpm as profile_cpm,
  report_settings.cpm as report_cpm,
  report_settings.as_of as sources_until
from report_all
left join profiles using (workspace, profile_id)
cross join report_settings
where linkedin_post_id = $post
  or rtrim(split_part(report_all.url, '?', 1), '/') = rtrim(split_part($post, '?', 1), '/');
