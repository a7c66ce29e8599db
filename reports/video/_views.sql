-- grain: one video (video_posts); one video of which figures expired (video_expired)
-- key: workspace, linkedin_post_id
-- reads: report_posts, readings
--
-- video_posts: title is the name of a video, its title or else the beginning of its text. video_expired: the videos with a
-- figure that was known before and is missing in the newest reading.
create or replace temp view video_posts as
select * replace (coalesce(title, left(trim(regexp_replace(commentary, '\s+', ' ', 'g')), 80)) as title)
from report_posts
where type = 'Video';

create or replace temp table video_expired as
select distinct workspace, linkedin_post_id
from (
  select workspace, linkedin_post_id, metric
  from (
    select workspace, linkedin_post_id, fetched_at, columns('^video_')::double as '\0'
    from readings
    semi join video_posts using (workspace, linkedin_post_id)
  )
  unpivot include nulls (amount for metric in (columns('^video_')))
  group by workspace, linkedin_post_id, metric
  having max(fetched_at) filter (where amount is not null) < max(fetched_at)
);
