-- grain: one weekday (1 = Monday) and hour of publication with posts, in the report's time zone
-- key: weekday, hour
-- reads: report_posts
select
  isodow(published_local)::integer as weekday,
  hour(published_local)::integer as hour,
  count(*) as posts,
  sum(impression_count) as impressions,
  ratio_of_sums(engagements, impression_count) as engagement_rate,
  count(finite(engagements / nullif(impression_count, 0))) as rated_posts
from report_posts
where published_local is not null
group by weekday, hour
order by weekday, hour;
