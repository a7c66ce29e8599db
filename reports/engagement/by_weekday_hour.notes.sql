-- grain: one sentence of a list about hours and posts that are not compared
-- reads: engagement_slots, report_posts
with slots as (
  select
    count(*) as slots,
    nullif(count(*) filter (where rank is null), 0) as unranked,
    any_value(overall) as overall
  from engagement_slots
),
posts as (
  select nullif(count(*), 0) as untimed
  from report_posts
  where published_local is null
)
select
  unnest([
    '{unranked:count} of {slots:count} {slots|hour|hours} with posts {unranked|has|have} fewer than 5 rated posts and {unranked|is|are} not ranked.',
    'Rates of hours with few posts are shrunk towards the overall rate of {overall:rate}.',
    '{untimed:count} {untimed|post|posts} without a time of publication {untimed|is|are} excluded.'
  ]) as text,
  *
from slots
cross join posts;
