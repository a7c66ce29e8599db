-- grain: at most one row; none with fewer than 10 days with 10 posts each, or if no day stands out without its largest post
-- reads: growth_days, growth_increments
with days as (
  select captured_on, posts, impressions, row_number() over (order by impressions desc, captured_on) as place
  from growth_days
  where is_single and impressions is not null
),
largest as (
  select captured_on as day, max(impression_count) as largest
  from growth_increments
  where days = 1
  group by captured_on
),
figures as (
  select
    count(*) filter (where posts >= 10) as days,
    any_value(captured_on) filter (where place = 1) as day,
    any_value(impressions) filter (where place = 1) as impressions,
    any_value(posts) filter (where place = 1) as posts,
    median(impressions) as usual
  from days
)
select
  '{day:date} added the most impressions, {impressions:count}; the median day adds {usual:count}' as text,
  day,
  impressions::double as impressions,
  posts,
  usual
from figures
join largest using (day)
where days >= 10 and posts >= 10 and usual > 0 and impressions - largest >= 1.5 * usual;
