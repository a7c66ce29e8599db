-- grain: one sentence about weeks that are cut, empty or not final
-- key: text
-- reads: engagement_sums, report_posts, report_settings
with posts as (
  select
    count(distinct date_trunc('week', published_local)) filter (where is_young) as young_weeks,
    count(*) filter (where published_local is null) as untimed
  from report_posts
),
compared as (
  select count(*) as weeks
  from engagement_sums
  where dimension = 'week' and not is_current
),
facts as (
  select unnest(
    [
      {
        'position': 1,
        'text': case
          when isodow(period_from) > 1 and isodow(period_to) < 7 then 'The first and last weeks are partial.'
          when isodow(period_from) > 1 then 'The first week is partial.'
          when isodow(period_to) < 7 then 'The last week is partial.'
        end,
        'n': 0
      },
      {
        'position': 2,
        'text': 'Each week is compared with the week at the same point of the comparison period.',
        'n': nullif(weeks, 0)
      },
      {
        'position': 3,
        'text': '{n:count} {n|week includes|weeks include} posts that are not final.',
        'n': nullif(young_weeks, 0)
      },
      {
        'position': 4,
        'text': '{n:count} {n|post|posts} without a time of publication {n|is|are} excluded.',
        'n': nullif(untimed, 0)
      }
    ],
    recursive := true
  )
  from posts
  cross join compared
  cross join report_settings
)
select text, n
from facts
where n is not null
order by position;
