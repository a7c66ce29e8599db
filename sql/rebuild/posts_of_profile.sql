-- grain: a post of the workspace that this profile alone has published
-- key: post_id
-- reads: readings
-- parameters: $workspace, $profile_id
select post_id
from readings
where post_id is not null
group by post_id
having bool_and(workspace = $workspace and profile_id = $profile_id)
order by post_id;
