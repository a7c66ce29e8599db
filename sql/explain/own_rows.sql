-- grain: one post behind a row of a section, as the section's own posts.sql gives it
-- key: the section's key, workspace, linkedin_post_id
-- reads: explained_own, explained_posts
-- parameters: none
--
-- `replaced_columns` are the columns that the section gives itself, `own_places` the values of its key columns.
create or replace temp view explained_rows as
select
  posts.* exclude (workspace, linkedin_post_id, replaced_columns),
  own.*,
  true as is_current,
  false as is_left_out,
  map {own_places} as places
from explained_own as own
join explained_posts as posts
  on posts.workspace = own.workspace and posts.linkedin_post_id = own.linkedin_post_id;
