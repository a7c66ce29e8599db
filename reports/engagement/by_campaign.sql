-- grain: one name of a campaign; (none) are the posts without one
-- key: campaign
select
  name as campaign,
  * exclude (name, trend, page_p50, member_p50, rated_posts, workspace, profile_id, kind)
from engagement_by('campaign')
order by campaign = '(none)', engagement_rate desc nulls last, interactions desc nulls last, posts desc, campaign;
