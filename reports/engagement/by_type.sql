-- grain: one type, as the API names it
-- key: type
-- reads: engagement_types
select
  name as type,
  types.* exclude (name, trend, page_p50, member_p50, rated_posts, workspace, profile_id, kind, previous_rate, rate_change),
  page_p50,
  member_p50,
  rate_rest,
  lift,
  previous_rate,
  rate_change
from engagement_by('type') as types
left join engagement_types on engagement_types.type = types.name
order by lift desc nulls last, engagement_rate desc nulls last, posts desc, name;
