-- grain: at most one row; none without a label that has EMV
-- key: none
-- reads: report_posts
-- parameters: none
with labelled as (
  select unnest(labels) as label, emv
  from report_posts
),
labels as (
  select label, exact_sum(emv) as emv
  from labelled
  group by label
),
total as (
  select exact_sum(emv) as emv
  from report_posts
)
select
  case when (select count(*) from labels) = 1 then '{label:text} brought' else '{label:text} leads with' end
    || ' {emv:money}, {emv_share:share} of the EMV' as text,
  label,
  labels.emv,
  labels.emv / total.emv as emv_share
from labels
cross join total
where labels.emv > 0 and total.emv > 0
order by labels.emv desc, label
limit 1;
