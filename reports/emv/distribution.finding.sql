-- grain: at most one row; none with fewer than 20 posts with EMV, or if half of them earned nothing
-- reads: emv_ranks
with figures as (
  select count(*) as posts, median(emv) as median_emv, exact_sum(emv) / nullif(count(*), 0) as emv_per_post
  from emv_ranks
)
select
  'The median post earned {median_emv:money}, the average post {emv_per_post:money}' as text,
  median_emv,
  emv_per_post
from figures
where posts >= 20 and median_emv >= 1 and emv_per_post > 0;
