-- grain: one weekday (1 = Monday) and hour of publication with posts, in the report's time zone
-- key: weekday, hour
-- reads: report_posts
-- parameters: none
with slots as (
  select
    isodow(published_local)::integer as weekday,
    hour(published_local)::integer as hour,
    count(*) as posts,
    sum(impression_count) as impressions,
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    count(engagements) as rated_posts
  from report_posts
  where published_local is not null
  group by all
)
select
  weekday,
  hour,
  posts,
  impressions,
  engagement_rate,
  rated_posts
from slots
order by weekday, hour;
