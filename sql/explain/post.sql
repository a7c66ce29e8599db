-- grain: one post of this id or address that passes all filters except --removed
-- key: workspace, linkedin_post_id
-- reads: linkedin_posts, profiles, report_all, report_settings
-- parameters: $post
--
-- A record that is superseded names the post that supersedes it.
-- cpm: what a thousand impressions cost by its EMV.
create or replace temp table explained_cell as
with named as (
  select workspace, coalesce(superseded_by, linkedin_post_id) as linkedin_post_id
  from linkedin_posts
  where linkedin_post_id = $post
    or address_of(url) = address_of($post)
    or rtrim(regexp_extract(url, '^[^?#]*'), '/') = rtrim(regexp_extract($post, '^[^?#]*'), '/')
)
select
  report_all.*,
  case emv_source when 'api' then effective_cpm when 'cpm' then report_settings.cpm when 'profile_cpm' then profiles.cpm end
    as cpm
from report_all
semi join named using (workspace, linkedin_post_id)
left join profiles using (workspace, profile_id)
cross join report_settings;
