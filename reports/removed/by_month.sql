-- grain: one month from the first to the last with a removal, including those without
-- key: removed_month
-- reads: removed_months
select removed_month, removed_posts, impressions, engagements, emv, effective_cpm, emv_share
from removed_months
order by removed_month;
