-- grain: a post whose removal is told of by halves
-- key: workspace, post_id
-- reads: posts
-- parameters: none
select workspace, post_id
from posts
where (removed_at is null) <> (removal_reading is null)
  or (removed_by is not null and removed_at is null)
order by workspace, post_id;
