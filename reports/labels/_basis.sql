-- grain: one section: what it rests on
-- key: section
-- reads: label_sums, label_totals
-- parameters: none
with labels as (
  select count(*) as n
  from label_sums
  where is_current and dimension = 'label' and not is_monthly and label <> '(none)'
),
bases as (
  select 'by_label' as section, n, '{n:count} label' as one, '{n:count} labels' as many
  from labels
  union all
  select 'by_label_month', least(n, 12), '{n:count} label', '{n:count} labels'
  from labels
  union all
  select 'label_pairs', posts, 'n = {n:count} post with a label', 'n = {n:count} posts with a label'
  from label_totals
  where is_current and dimension = 'labelled'
  union all
  select
    unnest(['labels_per_post', 'unique_posts', 'left_out', 'summary']),
    posts,
    'n = {n:count} post',
    'n = {n:count} posts'
  from label_totals
  where is_current and dimension = 'all'
)
select section, case when n = 1 then one else many end as text, n
from bases
where n > 0
order by section;
