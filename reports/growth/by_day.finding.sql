-- grain: at most one row; none under 10 days with 10 posts each, or where no day stands out
-- key: none
-- reads: growth_days
-- parameters: none
with days as (
  select captured_on, posts, impressions, row_number() over (order by impressions desc, captured_on) as place
  from growth_days
  where is_single and posts >= 10 and impressions is not null
),
figures as (
  select
    count(*) as days,
    any_value(captured_on) filter (where place = 1) as day,
    any_value(impressions) filter (where place = 1) as impressions,
    any_value(posts) filter (where place = 1) as posts,
    median(impressions) as usual
  from days
)
select
  '{day:date} brought the most impressions, {impressions:count} over {posts:count} posts; half of the days brought under {usual:count}' as text,
  day,
  impressions::double as impressions,
  posts,
  usual
from figures
where days >= 10 and usual > 0 and impressions >= 1.5 * usual;
