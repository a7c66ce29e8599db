-- grain: one sentence about what the figures rest on, in the page's order
-- key: text
-- reads: report_removed, report_settings, quality_day
with removed_posts as (
  select count(*) as removed_posts
  from report_removed
),
facts as (
  select day, unnest(
    [
      {
        'position': 1,
        'text': case
          when as_of is null then 'Days are counted up to {day:date}, the newest reading of any profile.'
          else 'Days are counted up to {day:date}; later readings and runs are excluded.'
        end,
        'n': case when day is not null then 1 end
      },
      {
        'position': 2,
        'text': 'The period selects posts, date ranges and gaps by day of publication. Runs and rejected records are not limited to it.',
        'n': case when period_from is not null or period_to is not null then 1 end
      },
      {
        'position': 3,
        'text': '{n:count} removed {n|post is|posts are} ' || case when removed = 'exclude' then 'excluded.' else 'included.' end,
        'n': nullif(removed_posts, 0)
      }
    ],
    recursive := true
  )
  from quality_day
  cross join removed_posts
  cross join report_settings
)
select text, n, day
from facts
where n is not null
order by position;
