-- grain: one video without views
-- key: workspace, linkedin_post_id
-- reads: report_posts
-- parameters: none
select
  coalesce(title, left(trim(regexp_replace(commentary, '\s+', ' ', 'g')), 80)) as title,
  profile,
  published_at,
  impression_count as impressions,
  case
    when kind = 'page' and age_days > 180 then 'A page’s video of more than six months: no longer given.'
    when kind = 'member' and age_days > 365 then 'A member’s video of more than a year: no longer given.'
    else 'The service has not given its views yet.'
  end as why,
  kind,
  age_days,
  url,
  workspace,
  linkedin_post_id
from report_posts
where type = 'Video' and video_view_count is null
order by published_at desc nulls last, workspace, linkedin_post_id;
