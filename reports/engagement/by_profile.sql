-- grain: one profile of one workspace
-- key: workspace, profile_id
select
  name as profile,
  workspace,
  kind,
  * exclude (name, page_p50, member_p50, rated_posts, workspace, profile_id, kind),
  profile_id
from engagement_by('profile')
order by engagement_rate desc nulls last, interactions desc nulls last, posts desc, profile, workspace, profile_id;
