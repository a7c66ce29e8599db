-- grain: one fact about the basis of the figures, in the page's order
-- key: text
-- reads: report_posts
with counted as (
  select
    nullif(count(*) filter (where len(labels) = 0), 0) as without_label,
    nullif(count(*) filter (where engagements is null or impression_count is null), 0) as without_rate,
    nullif(count(*) filter (where emv is null), 0) as without_emv
  from report_posts
)
select *
from coverage_of('posts', 'emv')
where position in (10, 30, 50)
union all by name
select
  unnest([15, 22, 24]) as position,
  unnest([
    '{without_label:count} without a label',
    '{without_rate:count} without an engagement rate',
    '{without_emv:count} without EMV'
  ]) as text,
  *
from counted
order by position;
