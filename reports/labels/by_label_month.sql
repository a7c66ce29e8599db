-- grain: one label in one month of the period, of the 12 labels with the most EMV
-- key: label, month
-- reads: label_sums, report_months
-- parameters: none
with ranked as (
  select label, row_number() over (order by emv desc nulls last, posts desc, label) as rank
  from label_sums
  where is_current and dimension = 'label' and not is_monthly and label <> '(none)'
),
monthly as (
  select is_current, label, month, posts, impressions, engagement_rate, emv
  from label_sums
  where dimension = 'label' and is_monthly
)
select
  ranked.label,
  report_months.month,
  coalesce(shown.posts, 0) as posts,
  shown.emv,
  previous.emv as previous_emv,
  shown.engagement_rate,
  shown.impressions,
  previous.impressions as previous_impressions
from ranked
cross join report_months
left join monthly as shown
  on shown.is_current and shown.label = ranked.label and shown.month = report_months.month
left join monthly as previous
  on not previous.is_current and previous.label = ranked.label and previous.month = report_months.month
where ranked.rank <= 12
order by ranked.rank, report_months.month;
