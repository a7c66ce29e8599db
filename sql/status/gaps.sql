-- grain: a range of days of a profile that jobs ask for and that were not read; is_begun: they were read, but before they were over
-- key: workspace, profile_id, first_day
-- reads: unread_days
select workspace, profile_id, first_day, last_day, begun_days = last_day - first_day + 1 as is_begun
from unread_days
order by workspace, profile_id, first_day;
