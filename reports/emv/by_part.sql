-- grain: what EMV is made of: a priced metric, or what the service gave
-- key: part
-- reads: report_parts, report_posts
select
  part,
  count,
  price,
  emv,
  emv / nullif((select exact_sum(emv) from report_posts), 0) as emv_share
from report_parts
where is_current and emv is not null
order by position;
