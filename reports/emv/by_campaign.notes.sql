-- grain: one sentence of a list
-- reads: report_posts
with counted as (
  select
    count(distinct campaign) filter (where emv is not null and published_at is not null) as campaigns,
    case when campaigns > 6 then campaigns - 5 end as others,
    nullif(count(*) filter (where campaign is not null and published_at is null), 0) as undated
  from report_posts
)
select
  unnest([
    'The chart shows the 5 campaigns with the most EMV, and the other {others:count} as one line.',
    '{undated:count} {undated|post|posts} without a time of publication {undated|is|are} in the table but not in the chart.'
  ]) as text,
  others,
  undated
from counted;
