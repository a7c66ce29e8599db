-- grain: one sentence about slots and posts that are not compared
-- key: text
-- reads: engagement_slots, report_posts
with slots as (
  select
    count(*) as slots,
    count(*) filter (where rank is null) as small_slots,
    any_value(overall) as overall
  from engagement_slots
),
untimed as (
  select count(*) as posts
  from report_posts
  where published_local is null
),
facts as (
  select slots, overall, unnest(
    [
      {
        'position': 1,
        'text': '{n:count} of {slots:count} {slots|hour|hours} with posts {n|has|have} fewer than 5 rated posts and {n|is|are} not ranked.',
        'n': nullif(small_slots, 0)
      },
      {
        'position': 2,
        'text': 'Rates of hours with few posts are shrunk towards the overall rate of {overall:rate}.',
        'n': 0
      },
      {
        'position': 3,
        'text': '{n:count} {n|post|posts} without a time of publication {n|is|are} excluded.',
        'n': nullif(posts, 0)
      }
    ],
    recursive := true
  )
  from slots
  cross join untimed
)
select text, n, slots, overall
from facts
where n is not null
order by position;
