-- grain: one label in one month of the period, of the 12 labels with the most EMV
-- key: label, month
-- reads: label_groups, label_sums, report_months
with ranked as (
  select name, row_number() over (order by emv desc nulls last, interactions desc nulls last, posts desc, name) as rank
  from label_groups
  where dimension = 'label' and name <> '(none)'
),
monthly as (
  select *
  from label_sums
  where dimension = 'label' and is_monthly
)
select
  name as label,
  month,
  coalesce(shown.posts, 0) as posts,
  shown.emv,
  previous.emv as previous_emv,
  shown.engagement_rate,
  shown.impressions,
  previous.impressions as previous_impressions,
  shown.interactions
from ranked
cross join report_months
left join (from monthly where is_current) as shown using (name, month)
left join (from monthly where not is_current) as previous using (name, month)
where ranked.rank <= 12
order by ranked.rank, month;
