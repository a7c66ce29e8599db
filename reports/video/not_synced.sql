-- grain: one video without views
-- key: workspace, linkedin_post_id
-- reads: video_posts
select
  title,
  profile,
  published_at,
  impression_count as impressions,
  case
    when kind = 'page' and published_local::date + age_days > published_local::date + interval 6 months
      then 'Over six months old: LinkedIn no longer gives the figures of a page’s video.'
    when kind = 'member' and published_local::date + age_days > published_local::date + interval 1 year
      then 'Over a year old: LinkedIn no longer gives the figures of a member’s video.'
    else 'The service gives no views yet.'
  end as why,
  kind,
  age_days,
  url,
  workspace,
  linkedin_post_id
from video_posts
where video_view_count is null
order by published_at desc nulls last, workspace, linkedin_post_id;
