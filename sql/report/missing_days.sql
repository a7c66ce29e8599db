-- grain: a range of days of the period that were not read for a profile
-- key: profile, first_day
-- reads: unread_days, report_coverage
select report_coverage.profile, first_day, last_day
from unread_days
join report_coverage using (workspace, profile_id)
where span = 'period'
order by profile, first_day;
