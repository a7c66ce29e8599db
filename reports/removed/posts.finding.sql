-- grain: at most one row; none under 5 posts with EMV, or where no post stands out
-- key: none
-- reads: report_removed
-- parameters: none
with figures as (
  select
    count(emv) as posts,
    min(emv) as least_emv,
    max(emv) / nullif(exact_sum(emv), 0) as largest_share
  from report_removed
)
select 'One post had {largest_share:share} of the EMV of all that were removed' as text, largest_share
from figures
where posts >= 5 and least_emv >= 0 and largest_share >= 0.25;
