-- grain: one video (video_posts); one video of which figures expired (video_expired)
-- key: workspace, linkedin_post_id
-- reads: report_posts, report_settings, readings
--
-- video_posts: title is the name of a video, its title or else the beginning of its text; seconds are those of a view; is_in_stages: it
-- has the figures of all stages from impressions to viewers. video_expired: the videos with a figure that was
-- known before and is missing in the newest reading.
create or replace temp view video_posts as
select
  * replace (coalesce(title, left(trim(regexp_replace(commentary, '\s+', ' ', 'g')), 80)) as title),
  finite(video_watch_time_seconds / video_view_count) as seconds,
  impression_count is not null and video_view_count is not null and video_viewer_count is not null as is_in_stages
from report_posts
where type = 'Video';

create or replace temp table video_expired as
with known as (
  select
    workspace,
    linkedin_post_id,
    position,
    figure,
    max(fetched_at) filter (where amount is not null) as known_at
  from (
    select workspace, linkedin_post_id, fetched_at, columns('^video_')::double as '\0'
    from readings
    semi join video_posts using (workspace, linkedin_post_id)
  )
  unpivot include nulls (amount for metric in (columns('^video_')))
  join (
    values
      (1, 'video_view_count', 'views'), (2, 'video_viewer_count', 'viewers'), (3, 'video_watch_time_seconds', 'watch time')
  ) as figures (position, metric, figure) using (metric)
  group by all
  having known_at < max(fetched_at)
),
lost as (
  select workspace, linkedin_post_id, list(figure order by position) as expired_figures, min(known_at) as last_known_at
  from known
  group by workspace, linkedin_post_id
)
select
  lost.workspace,
  lost.linkedin_post_id,
  any_value(lost.expired_figures) as expired_figures,
  timezone(any_value(settings.timezone), any_value(lost.last_known_at))::date as last_known_on,
  timezone(any_value(settings.timezone), min(readings.fetched_at))::date as missing_since
from lost
join readings using (workspace, linkedin_post_id)
cross join report_settings as settings
where readings.fetched_at > last_known_at
group by lost.workspace, lost.linkedin_post_id;
