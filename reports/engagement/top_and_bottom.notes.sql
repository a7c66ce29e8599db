-- grain: one sentence about the posts that are not shown
-- key: text
-- reads: report_posts
-- parameters: $minimum_impressions
with posts as (
  select
    count(*) filter (where impression_count < $minimum_impressions::bigint) as below,
    count(*) filter (where engagements is null or impression_count = 0) as unrated
  from report_posts
),
facts as (
  select
    1 as position,
    case when below = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' fewer than {minimum_impressions:count} impressions and '
      || case when below = 1 then 'is' else 'are' end
      || ' not ranked.' as text,
    below as n
  from posts
  where below > 0
  union all
  select
    2,
    case when unrated = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no rate: no engagement, or no impressions.',
    unrated
  from posts
  where unrated > 0
)
select text, n, $minimum_impressions::bigint as minimum_impressions
from facts
order by position;
