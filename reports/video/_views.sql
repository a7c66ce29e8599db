-- grain: one video (video_posts); at most one sentence (video_mixture); one video of which figures expired (video_expired)
-- key: workspace, linkedin_post_id; none; workspace, linkedin_post_id
-- reads: report_posts, report_settings, readings
--
-- video_posts: title is the name of a video, its title or else the beginning of its text; seconds are those of a view; is_in_stages: it
-- has the figures of all stages from impressions to viewers. video_mixture: the note wherever pages and members are added up. video_expired: the videos with a figure that was
-- known before and is missing in the newest reading.
create or replace temp view video_posts as
select
  * replace (coalesce(title, left(trim(regexp_replace(commentary, '\s+', ' ', 'g')), 80)) as title),
  finite(video_watch_time_seconds / video_view_count) as seconds,
  impression_count is not null and video_view_count is not null and video_viewer_count is not null as is_in_stages
from report_posts
where type = 'Video';

create or replace temp table video_mixture as
with kinds as (
  select
    count(*) filter (where kind = 'page') as pages,
    count(*) filter (where kind = 'member') as members
  from video_posts
  where video_view_count is not null
)
select 'A view counts from 3 seconds on pages and from 2 on members’ posts; these figures combine both.' as text
from kinds
where pages > 0 and members > 0;

create or replace temp table video_expired as
with seen as (
  select
    workspace,
    linkedin_post_id,
    max(fetched_at) as newest_at,
    max(fetched_at) filter (where readings.video_view_count is not null) as views_at,
    max(fetched_at) filter (where readings.video_viewer_count is not null) as viewers_at,
    max(fetched_at) filter (where readings.video_watch_time_seconds is not null) as watched_at
  from video_posts
  join readings using (workspace, linkedin_post_id)
  group by workspace, linkedin_post_id
),
lost as (
  select
    *,
    list_filter(
      [
        case when views_at < newest_at then 'views' end,
        case when viewers_at < newest_at then 'viewers' end,
        case when watched_at < newest_at then 'watch time' end
      ],
      lambda figure: figure is not null
    ) as expired_figures,
    least(
      case when views_at < newest_at then views_at end,
      case when viewers_at < newest_at then viewers_at end,
      case when watched_at < newest_at then watched_at end
    ) as last_known_at
  from seen
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
where len(expired_figures) > 0 and readings.fetched_at > last_known_at
group by lost.workspace, lost.linkedin_post_id;
