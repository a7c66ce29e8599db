-- grain: one metric that a price list prices, and that posts beside others lack
-- reads: lacking_text, report_lacking
select lacking_text() as text, metric, priced, posts as lacking
from report_lacking
where posts between 1 and priced - 1
order by position;
