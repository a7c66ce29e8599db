-- grain: at most one row; none where no figure expired
-- key: none
-- reads: report_posts, video_expired
-- parameters: none
with expired as (
  select count(*) as n, min(missing_since) as since, sum(video_view_count) as views
  from video_expired
  join report_posts using (workspace, linkedin_post_id)
)
select
  case when n = 1 then 'Figures of {n:count} video are' else 'Figures of {n:count} videos are' end
    || ' no longer given, the first since {since:date}; the last known count on' as text,
  n,
  since
from expired
where n > 0;
