-- grain: one post of a workspace to which a LinkedIn post belongs
-- key: workspace, post_id
-- reads: linkedin_posts
--
-- Made before the tables of a past day hide those of today: that a LinkedIn post was read only later does not
-- make a draft of its post.
create or replace temp table report_linked_posts as
select distinct workspace, post_id
from linkedin_posts
where post_id is not null;
