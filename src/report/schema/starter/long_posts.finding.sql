-- grain: at most one row: the sentence above the section; none where it would say nothing
-- reads: report_posts
-- parameters: $characters
select
  -- {column:format} is filled from the same row
  '{long:count} of {posts|# post|# posts} {long|has|have} {characters:count} characters or more' as text,
  count(*) filter (where len(commentary) >= $characters::bigint) as long,
  count(*) as posts,
  $characters::bigint as characters
from report_posts
having long > 0;
