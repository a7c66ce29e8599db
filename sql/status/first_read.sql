-- grain: a profile of which an answer was read
-- key: workspace, profile_id
-- reads: extract_windows
--
-- A job reads a date more before its first day, so the first day that was read whole is the one after the first date.
select workspace, profile_id, (min(first_day) + 1)::varchar as read_from
from extract_windows
where status = 'succeeded'
group by workspace, profile_id
order by workspace, profile_id;
