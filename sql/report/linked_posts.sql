-- grain: one post of a workspace to which a LinkedIn post belongs
-- key: workspace, post_id
-- reads: linkedin_posts
--
-- This table is made before the tables of a past day hide those of today: a post whose LinkedIn post was read only
-- later is not a draft.
create or replace temp table report_linked_posts as
select distinct workspace, post_id
from linkedin_posts
where post_id is not null;
