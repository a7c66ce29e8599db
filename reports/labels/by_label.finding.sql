-- grain: at most one row: the label with the highest lift; none without a label that enough posts have and lack
-- key: none
-- reads: label_lifts
-- parameters: $minimum_posts
select
  case
    when rate_with > rate_without then 'Posts with {label:text} lead: '
    else 'Posts with {label:text}: '
  end
    || 'engagement rate {rate_with:rate}, {lift:pp} against all others' as text,
  label,
  rate_with,
  rate_with - rate_without as lift
from label_lifts
where label <> '(none)'
  and least(rated_posts, rated_posts_without) >= $minimum_posts::bigint
  and abs(rate_with - rate_without) >= 0.0005
order by rate_with - rate_without desc, label
limit 1;
