-- grain: one metric
-- key: metric
-- reads: report_posts
with values_of_posts as (
  select
    kind,
    type = 'Video' as is_video,
    [
      {'position': 1, 'metric': 'Impressions', 'scope': 'all', 'is_known': impression_count is not null},
      {'position': 2, 'metric': 'Engagement', 'scope': 'all', 'is_known': engagement is not null},
      {'position': 3, 'metric': 'EMV', 'scope': 'all', 'is_known': emv is not null},
      {'position': 4, 'metric': 'Likes', 'scope': 'all', 'is_known': like_count is not null},
      {'position': 5, 'metric': 'Comments', 'scope': 'all', 'is_known': comment_count is not null},
      {'position': 6, 'metric': 'Shares', 'scope': 'all', 'is_known': share_count is not null},
      {'position': 7, 'metric': 'Clicks', 'scope': 'page', 'is_known': click_count is not null},
      {'position': 8, 'metric': 'Saves', 'scope': 'member', 'is_known': save_count is not null},
      {'position': 9, 'metric': 'Sends', 'scope': 'member', 'is_known': send_count is not null},
      {'position': 10, 'metric': 'Video views', 'scope': 'video', 'is_known': video_view_count is not null},
      {'position': 11, 'metric': 'Video viewers', 'scope': 'video', 'is_known': video_viewer_count is not null},
      {'position': 12, 'metric': 'Watch time', 'scope': 'video', 'is_known': video_watch_time_seconds is not null},
      {'position': 13, 'metric': 'Time of publication', 'scope': 'all', 'is_known': published_at is not null}
    ] as metrics
  from report_posts
),
listed as (
  select kind, is_video, unnest(metrics) as metric
  from values_of_posts
),
judged as (
  select
    metric.position as position,
    metric.metric as metric,
    metric.scope as scope,
    kind,
    metric.is_known as is_known,
    case metric.scope
      when 'all' then true
      when 'video' then is_video
      else coalesce(kind = metric.scope, false)
    end as is_expected
  from listed
)
select
  metric,
  any_value(scope) as expected_of,
  count(*) filter (where is_known) as known,
  count(*) filter (where is_expected) as expected,
  count(*) filter (where is_expected and not is_known) as missing,
  count(*) filter (where is_expected and is_known) / nullif(count(*) filter (where is_expected), 0) as known_share,
  count(*) filter (where is_expected and kind = 'page') as page_expected,
  count(*) filter (where is_expected and is_known and kind = 'page')
    / nullif(count(*) filter (where is_expected and kind = 'page'), 0) as page_share,
  count(*) filter (where is_expected and kind = 'member') as member_expected,
  count(*) filter (where is_expected and is_known and kind = 'member')
    / nullif(count(*) filter (where is_expected and kind = 'member'), 0) as member_share,
  count(*) filter (where is_known and not is_expected) as unexpected
from judged
group by position, metric
order by position;
