-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: report_posts
with counted as (
  select
    count(*) filter (where len(labels) = 0) as without_label,
    count(*) filter (where engagements is null or impression_count is null) as without_rate,
    count(*) filter (where emv is null) as without_emv
  from report_posts
),
facts as (
  select *
  from coverage_of('posts', 'emv')
  where position in (10, 30, 50)
  union all by name
  select unnest(
    [
      {'position': 15, 'text': '{n:count} without a label', 'n': nullif(without_label, 0)},
      {'position': 42, 'text': '{n:count} without an engagement rate', 'n': nullif(without_rate, 0)},
      {'position': 44, 'text': '{n:count} without EMV', 'n': nullif(without_emv, 0)}
    ],
    recursive := true
  )
  from counted
)
select text, n, amount
from facts
where n is not null
order by position;
