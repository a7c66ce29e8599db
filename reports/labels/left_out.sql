-- grain: one kind of posts that the figures leave out, or that may still change, or need an explanation
-- key: what
select what, posts, emv, is_counted, why, impressions
from left_out_of(
  'posts',
  [
    'Without a label', 'Removed posts', 'Posts not removed', 'Without an engagement rate', 'With 0 impressions',
    'Without EMV', 'Negative count', 'Engagement above 100%', 'Not final', 'Without a time', 'Compared at equal age'
  ],
  'Every post has a label, a rate and EMV, and is at least 14 days old.'
)
order by position;
