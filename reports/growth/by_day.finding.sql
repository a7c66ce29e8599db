-- grain: at most one row; none with fewer than 10 days with 10 posts each, or if no day stands out without its largest post
-- reads: growth_days
select
  '{day:date} added the most impressions, {most:count}; the median day adds {usual:count}' as text,
  captured_on as day,
  impressions::double as most,
  median(impressions) over () as usual
from growth_days
where is_single and impressions is not null
qualify count(*) filter (where posts >= 10) over () >= 10
  and row_number() over (order by impressions desc, captured_on) = 1
  and posts >= 10 and usual > 0 and impressions - largest >= 1.5 * usual;
