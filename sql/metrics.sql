-- grain: one metric
-- key: metric
-- reads: none
--
-- What LinkedIn counts, by its column: its name as a title, and within a sentence (noun); its unit; the posts that have it
-- (`page`, `member`: those of that kind of profile); whether it is one of the interactions that are added up. `engagements`
-- is made of engagement. price is the name under which a price list prices it, and per how many a price is for. The
-- interactions are listed nowhere else: the session's variable `_interactions` has their columns,
-- `_interaction_pattern` chooses them by columns(…), where '\1s' is their shared name, and sql/views take `$interactions`.
create or replace temp table metrics as
select *, case when regexp_matches(title, '^[A-Z][a-z]') then lower(title[1]) || title[2:] else title end as noun
from (
  values
    (1, 'impression_count', 'Impressions', 'count', 'all', false, 'impressions', 1000),
    (2, 'engagement', 'Engagement', 'rate', 'all', false, null, null),
    (3, 'engagements', 'Engagements', 'count', 'all', false, null, null),
    (4, 'emv', 'EMV', 'money', 'all', false, null, null),
    (5, 'like_count', 'Likes', 'count', 'all', true, 'likes', 1),
    (6, 'comment_count', 'Comments', 'count', 'all', true, 'comments', 1),
    (7, 'share_count', 'Shares', 'count', 'all', true, 'shares', 1),
    (8, 'click_count', 'Clicks', 'count', 'page', true, 'clicks', 1),
    (9, 'save_count', 'Saves', 'count', 'member', true, 'saves', 1),
    (10, 'send_count', 'Sends', 'count', 'member', true, 'sends', 1),
    (11, 'video_view_count', 'Video views', 'count', 'video', false, 'views', 1),
    (12, 'video_viewer_count', 'Video viewers', 'count', 'video', false, null, null),
    (13, 'video_watch_time_seconds', 'Seconds watched', 'seconds', 'video', false, null, null)
) as metrics (position, metric, title, unit, scope, is_interaction, price, per);

set variable _interactions = (select list(metric) from metrics where is_interaction);

set variable _priced_metrics = (
  select map_from_entries(list((price, metric))) from metrics where price is not null
);

set variable _interaction_pattern = (
  select '^(' || string_agg(regexp_replace(metric, '_count$', ''), '|') || ')_count$' from metrics where is_interaction
);
