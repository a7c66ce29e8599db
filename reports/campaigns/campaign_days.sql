-- grain: one campaign on one day with posts, and on its first and last day
-- key: campaign, day
-- reads: report_campaign_days
select * exclude (position)
from report_campaign_days
order by position, day;
