-- grain: one number of labels that posts have: 0, 1, 2, 3 or more
-- key: label_count
-- reads: label_totals, report_posts
with counted as (
  select least(len(labels), 3) as n, impression_count, engagements, emv
  from report_posts
)
select
  case when n = 3 then '3 or more' else n::varchar end as label_count,
  count(*) as posts,
  sum(impression_count) as impressions,
  exact_sum(counted.engagements) as engagements,
  ratio_of_sums(counted.engagements, impression_count) as engagement_rate,
  exact_sum(counted.emv) as emv,
  ratio_of_sums(counted.emv, impression_count) * 1000 as effective_cpm,
  exact_sum(counted.emv) / nullif(any_value(label_totals.emv), 0) as emv_share,
  exact_sum(counted.emv) / nullif(count(counted.emv), 0) as emv_per_post,
  case when count(counted.emv) >= 10 then median(counted.emv) end as median_emv,
  count(counted.emv) as posts_with_emv
from counted
cross join label_totals
where label_totals.is_current and label_totals.dimension = 'all'
group by n
order by n;
