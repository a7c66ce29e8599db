-- grain: one post behind a row of a section, as the section's own posts.sql gives it
-- key: the section's key, workspace, linkedin_post_id
-- reads: explained_own, explained_posts
-- parameters: $scope, $key
--
-- key: the section's key columns. Of two columns of the same name DuckDB renames the second.
create or replace temp table explained_rows as
select
  own.*,
  true as is_current,
  false as is_left_out,
  map_from_entries(
    list_transform($key::varchar[], lambda name: (name, [coalesce(to_json(own) ->> name, '')]))
  ) as key_values,
  posts.*
from explained_own as own
join (from explained_posts where scope = $scope) as posts
  on posts.workspace = own.workspace and posts.linkedin_post_id = own.linkedin_post_id;
