-- grain: one interaction of a post, behind a row of mix
-- key: kind, part, workspace, linkedin_post_id
-- reads: engagement_parts
select kind_title(kind) as kind, part, workspace, linkedin_post_id, amount as value, (amount is not null)::integer as posts_known
from engagement_parts
order by kind, part, workspace, linkedin_post_id;
