-- grain: one metric
-- key: metric
-- reads: none
--
-- What LinkedIn counts, by its column: its name as a title and within a sentence; the posts that have it (`page`, `member`:
-- of that kind of profile); whether it is one of the interactions that are added up. `engagements` is made of engagement.
create or replace temp table metrics as
from (
  values
    (1, 'impression_count', 'Impressions', 'impressions', 'all', false),
    (2, 'engagement', 'Engagement', 'engagement', 'all', false),
    (3, 'engagements', 'Engagements', 'engagements', 'all', false),
    (4, 'emv', 'EMV', 'EMV', 'all', false),
    (5, 'like_count', 'Likes', 'likes', 'all', true),
    (6, 'comment_count', 'Comments', 'comments', 'all', true),
    (7, 'share_count', 'Shares', 'shares', 'all', true),
    (8, 'click_count', 'Clicks', 'clicks', 'page', true),
    (9, 'save_count', 'Saves', 'saves', 'member', true),
    (10, 'send_count', 'Sends', 'sends', 'member', true),
    (11, 'video_view_count', 'Video views', 'video views', 'video', false),
    (12, 'video_viewer_count', 'Video viewers', 'video viewers', 'video', false),
    (13, 'video_watch_time_seconds', 'Seconds watched', 'seconds of watch time', 'video', false)
) as metrics (position, metric, title, noun, scope, is_interaction);
