-- grain: at most one row; none with fewer than 5 posts with EMV, or if no post stands out
-- reads: report_removed
with figures as (
  select
    count(emv) as posts,
    min(emv) as smallest_emv,
    max(emv) / nullif(exact_sum(emv), 0) as largest_share
  from report_removed
)
select 'One post accounts for {largest_share:share} of the removed EMV' as text, largest_share
from figures
where posts >= 5 and smallest_emv >= 0 and largest_share >= 0.25;
