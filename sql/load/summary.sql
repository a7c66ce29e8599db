-- grain: the whole load
-- key: none
-- reads: new_responses, post_effects, touched_posts, linkedin_posts
-- parameters: $known_types
select
  count(*) as responses,
  sum(posts_read) as posts_read,
  sum(rejected) as rejected,
  (select added from post_effects) as added,
  (select changed from post_effects) as changed,
  (select unchanged from post_effects) as unchanged,
  (
    select list(distinct type order by type)
    from linkedin_posts
    semi join touched_posts using (workspace, linkedin_post_id)
    where not list_contains($known_types, type)
  ) as unknown_types
from new_responses;
