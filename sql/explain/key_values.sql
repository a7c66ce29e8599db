-- grain: one post of either period
-- key: is_current, workspace, linkedin_post_id
-- reads: report_named
--
-- The values of key columns under which the post counts, by column.
create or replace temp view explained_key_values as
select
  * exclude (names, amounts),
  map_concat(
    names,
    map {
      'day': [coalesce(day::varchar, '')],
      'workspace': [workspace],
      'profile_id': [profile_id],
      'source': [coalesce(emv_source, '(none)')],
      'linkedin_post_id': [linkedin_post_id]
    }
  ) as key_values
from report_named
where is_current is not null;
