-- grain: one weekday (1 = Monday) and hour of publication with posts, in the report's time zone
-- key: weekday, hour
-- reads: engagement_slots
select
  weekday,
  hour,
  posts,
  impressions,
  engagement_rate,
  shrunk_rate,
  rank,
  rated_posts
from engagement_slots
order by weekday, hour;
