-- grain: one kind of posts that the figures leave out, or that may still change, or need an explanation
-- key: what
-- reads: left_out_of
select what, posts, impressions, engagements, is_counted, why
from left_out_of(
  'posts',
  [
    'Not readable', 'Removed posts', 'Posts not removed', 'Without an engagement rate', 'With 0 impressions', 'Negative count',
    'Engagement above 100%', 'Not final', 'Without a time', 'Compared at equal age', 'Neither page nor member'
  ],
  'Every post has an engagement rate, and is at least 14 days old.'
)
order by position;
