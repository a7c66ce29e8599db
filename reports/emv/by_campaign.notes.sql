-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_gone, report_posts
with counted as (
  select
    count(distinct campaign) filter (where emv is not null and published_at is not null) as campaigns,
    case when campaigns > 6 then campaigns - 5 end as others,
    nullif(count(*) filter (where campaign is not null and published_at is null), 0) as undated
  from report_posts
)
select
  unnest([1, 2]) as position,
  unnest([
    'The chart shows the 5 campaigns with the most EMV, and the other {others:count} as one line.',
    '{undated:count} {undated|post|posts} without a time of publication {undated|is|are} in the table but not in the chart.'
  ]) as text,
  others,
  undated
from counted
union all by name
select 3 as position, * exclude (dimension)
from emv_gone
where dimension = 'campaign'
order by position;
