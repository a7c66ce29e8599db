-- grain: at most one row; none where no figure expired
-- key: none
-- reads: report_posts, video_expired
-- parameters: none
with expired as (
  select count(*) as n, min(last_known_on) as first_on, max(last_known_on) as last_on
  from video_expired
  join report_posts using (workspace, linkedin_post_id)
)
select
  case
    when n = 1 then 'Figures of {n:count} video are no longer given: it counts with those last known on {last_on:date}'
    when first_on = last_on
      then 'Figures of {n:count} videos are no longer given: they count with those last known on {last_on:date}'
    else 'Figures of {n:count} videos are no longer given: they count with those last known between {first_on:date} and {last_on:date}'
  end as text,
  n,
  first_on,
  last_on
from expired
where n > 0;
