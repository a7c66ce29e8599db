-- grain: two labels that posts have together; the 50 pairs of the most posts
-- key: label, other_label
-- reads: label_totals, report_posts
with firsts as (
  select labels, unnest(labels) as label, impression_count, engagements, emv
  from report_posts
  where len(labels) > 1
),
pairs as (
  select label, unnest(list_filter(labels, lambda other: other > label)) as other_label, impression_count, engagements, emv
  from firsts
)
select
  label,
  other_label,
  count(*) as posts,
  sum(impression_count) as impressions,
  exact_sum(pairs.engagements) as engagements,
  ratio_of_sums(pairs.engagements, impression_count) as engagement_rate,
  exact_sum(pairs.emv) as emv,
  exact_sum(pairs.emv) / nullif(any_value(label_totals.emv), 0) as emv_share,
  exact_sum(pairs.emv) / nullif(count(pairs.emv), 0) as emv_per_post,
  count(pairs.emv) as posts_with_emv,
  count(impression_count) as posts_with_impressions
from pairs
cross join label_totals
where label_totals.is_current and label_totals.dimension = 'all'
group by label, other_label
order by posts desc, emv desc nulls last, label, other_label
limit 50;
