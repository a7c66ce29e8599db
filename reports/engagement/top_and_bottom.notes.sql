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
    '{n:count} {n|post|posts} with fewer than {minimum_impressions:count} impressions {n|is|are} not ranked.' as text,
    below as n
  from posts
  where below > 0
  union all
  select
    2,
    '{n:count} {n|post|posts} without engagement or impressions {n|is|are} not ranked.',
    unrated
  from posts
  where unrated > 0
)
select text, n, $minimum_impressions::bigint as minimum_impressions
from facts
order by position;
