-- grain: at most one row; none under 20 posts with EMV
-- key: none
-- reads: report_posts
-- parameters: none
with ranked as (
  select emv, row_number() over (order by emv desc) as rank
  from report_posts
  where emv is not null
),
figures as (
  select
    count(*) as posts,
    exact_sum(case when rank <= 10 then emv end) / nullif(exact_sum(emv), 0) as top_share,
    median(emv) as median_emv,
    min(emv) as least_emv
  from ranked
)
select
  'Ten posts made {top_share:share} of the EMV; half of all posts earned under {median_emv:money}' as text,
  top_share,
  median_emv
from figures
where posts >= 20 and least_emv >= 0 and median_emv >= 1;
