-- grain: one kind of posts that the figures of campaigns leave out, or that may still change, or need an explanation
-- key: what
-- reads: left_out_of
select what, posts, emv, is_counted, why, impressions
from left_out_of(
  'campaign posts',
  [
    'Without a campaign', 'Not readable', 'Removed posts', 'Posts not removed', 'Outside the dates',
    'EMV without impressions', 'Without EMV', 'Videos not synced', 'Negative count', 'Engagement above 100%', 'Not final', 'Without a time',
    'Compared at equal age'
  ],
  'Every post has a campaign, impressions and EMV, and is at least 14 days old.'
)
order by position;
