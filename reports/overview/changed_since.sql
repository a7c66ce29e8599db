-- grain: one figure of an earlier period that is no longer what was sent, by at least 1%
-- key: report, period, figure
-- reads: report_changed
select report, period, figure, label, sent_at, sent, now, change, because, format
from report_changed
order by period desc, report, figure;
