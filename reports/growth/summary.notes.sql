-- grain: one sentence about what the totals rest on, in the page's order
-- key: text
-- reads: report_removed, report_settings, growth_posts
with histories as (
  select min(first_on) as first_on, count(*) filter (where first_age > 7) as late, count(*) as posts
  from growth_posts
),
removed_posts as (
  select count(*) as removed_posts
  from report_removed
),
facts as (
  select first_on as day, unnest(
    [
      {
        'position': 1,
        'text': 'Growth is the difference between two readings. What a post had at its first reading is not included.',
        'n': posts
      },
      {
        'position': 2,
        'text': '{n:count} {n|post was|posts were} first read more than 7 days after publication, so their early days are unknown. Readings start on {day:date}.',
        'n': late
      },
      {
        'position': 3,
        'text': 'The period is that of the readings; earlier posts that were read in it are included.',
        'n': case when period_from is not null or period_to is not null then posts end
      },
      {
        'position': 4,
        'text': 'EMV follows the CPM of each reading: a change of the CPM adds or removes EMV without a single impression.',
        'n': case when cpm is null then posts end
      },
      {
        'position': 5,
        'text': '{n:count} removed {n|post is|posts are} ' || case when removed = 'exclude' then 'excluded.' else 'included.' end,
        'n': removed_posts
      }
    ],
    recursive := true
  )
  from histories
  cross join removed_posts
  cross join report_settings
)
select text, n, day
from facts
where n > 0
order by position;
