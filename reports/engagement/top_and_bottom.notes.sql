-- grain: one sentence of a list about the posts that are not shown
-- reads: report_posts
-- parameters: $minimum_impressions
select
  unnest([
    '{below:count} {below|post|posts} with fewer than {minimum|# impression|# impressions} {below|is|are} not ranked.',
    '{unrated:count} {unrated|post|posts} without engagement or impressions {unrated|is|are} not ranked.'
  ]) as text,
  nullif(count(*) filter (where impression_count < $minimum_impressions::bigint), 0) as below,
  nullif(count(*) filter (where engagements is null or impression_count = 0), 0) as unrated,
  $minimum_impressions::bigint as minimum
from report_posts;
