-- grain: at most one row; none with fewer than 10 posts whose time to publication is known
-- reads: report_facts
select
  'Half of {timed_posts|# post|# posts} went out within {median:phrase} of being created, on average after {mean:phrase}' as text,
  *
from report_facts
where lead_days_p50 is not null;
