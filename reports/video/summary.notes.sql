-- grain: one sentence of a list about the posts behind the totals
-- reads: report_removed, report_settings, video_mixture, video_posts
with videos as (
  select
    nullif(count(*) filter (where video_view_count is null), 0) as not_synced,
    nullif(count(video_view_count) filter (where impression_count is null), 0) as without_impressions,
    nullif(count(*) filter (where published_at is null), 0) as without_time
  from video_posts
),
removed_total as (
  select nullif(count(*), 0) as removed_posts, sum(video_view_count) as amount
  from report_removed
  where type = 'Video'
)
select
  unnest([
    '{not_synced:count} {not_synced|video is|videos are} not synced: without views, and not counted as 0.',
    '{without_impressions:count} {without_impressions|video has|videos have} views but no impressions: excluded from the view rate.',
    case
      when amount is null then '{removed_posts:count} removed {removed_posts|video is|videos are} {inclusion:phrase}.'
      else '{removed_posts:count} removed {removed_posts|video is|videos are} {inclusion:phrase} ({amount:count} {amount|view|views}).'
    end,
    '{without_time:count} {without_time|video has|videos have} no time of publication: included here, and in no month, week or hour.',
    (select text from video_mixture)
  ]) as text,
  videos.*,
  removed_total.*,
  included(removed) as inclusion
from videos
cross join removed_total
cross join report_settings;
