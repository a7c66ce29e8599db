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
  rate_change,
  case
    when is_compared then null
    when types.rated_posts < 10 then 'not enough posts (' || types.rated_posts || ')'
    when posts_without < 10 then 'not enough other posts (' || posts_without || ')'
    else 'no other posts of pages, or of members'
  end as not_compared,
  coalesce(is_clear, false) as is_clear
from engagement_by('type') as types
left join engagement_types on engagement_types.type = types.name
order by lift desc nulls last, engagement_rate desc nulls last, interactions desc nulls last, posts desc, name;
