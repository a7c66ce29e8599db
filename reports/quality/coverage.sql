-- grain: one metric
-- key: metric
-- reads: report_posts
with judged as (
  select
    position,
    metric,
    scope,
    kind,
    is_known,
    case scope when 'all' then true when 'video' then type = 'Video' else coalesce(kind = scope, false) end as is_expected
  from report_posts
  cross join lateral (
    values
      (1, 'Impressions', 'all', impression_count is not null),
      (2, 'Engagement', 'all', engagement is not null),
      (3, 'EMV', 'all', emv is not null),
      (4, 'Likes', 'all', like_count is not null),
      (5, 'Comments', 'all', comment_count is not null),
      (6, 'Shares', 'all', share_count is not null),
      (7, 'Clicks', 'page', click_count is not null),
      (8, 'Saves', 'member', save_count is not null),
      (9, 'Sends', 'member', send_count is not null),
      (10, 'Video views', 'video', video_view_count is not null),
      (11, 'Video viewers', 'video', video_viewer_count is not null),
      (12, 'Watch time', 'video', video_watch_time_seconds is not null),
      (13, 'Time of publication', 'all', published_at is not null)
  ) as metrics (position, metric, scope, is_known)
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
