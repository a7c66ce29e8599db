-- grain: one kind of posts that the totals leave out, or that may still change, or need an explanation
-- key: what
-- reads: left_out_of
select what, posts, emv, is_counted, why, impressions
from left_out_of(
  'posts',
  [
    'Not readable', 'Removed posts', 'Posts not removed', 'EMV without impressions', 'Without EMV', 'Negative count',
    'Not final', 'Without a time', 'Compared at equal age'
  ],
  'Every post has impressions and EMV, and is at least 14 days old.'
)
order by position;
