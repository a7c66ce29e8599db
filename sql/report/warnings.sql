-- grain: one finding in what was loaded that looks odd, and that bears on the report
-- key: workspace, profile_id, kind, metric, start_date, end_date
-- reads: data_warnings, report_profiles
-- parameters: $from, $to
--
-- After those filters that have a meaning for it. A window's days are days of publication, so a period leaves out
-- the windows beside it; a count that fell did so for posts of any day.
create or replace temp table report_warnings as
select
  data_warnings.* replace (report_profiles.profile as profile),
  case data_warnings.metric
    when 'like_count' then 'likes'
    when 'comment_count' then 'comments'
    when 'share_count' then 'shares'
    when 'click_count' then 'clicks'
    when 'save_count' then 'saves'
    when 'send_count' then 'sends'
    when 'impression_count' then 'impressions'
    when 'video_view_count' then 'video views'
    when 'video_viewer_count' then 'video viewers'
    when 'video_watch_time_seconds' then 'seconds of watch time'
  end as metric_name,
  case when data_warnings.kind = 'metric_drop' then (before - after) / before end as fallen_by
from data_warnings
join report_profiles using (workspace, profile_id)
where data_warnings.kind = 'metric_drop'
  or (
    data_warnings.start_date <= coalesce($to::date, date 'infinity')
    and data_warnings.end_date >= coalesce($from::date, date '-infinity')
  );
