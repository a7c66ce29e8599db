-- grain: one section: what it rests on
-- key: section
-- reads: label_groups, label_totals
with counted as (
  select
    (select count(*) from label_groups where dimension = 'label' and name <> '(none)') as labels,
    (select posts from label_totals where is_current and dimension = 'labelled') as labelled,
    (select posts from label_totals where is_current and dimension = 'all') as posts
),
bases as (
  select unnest(
    [
      {'section': 'by_label', 'n': labels, 'text': '{n:count} {n|label|labels}'},
      {'section': 'by_label_month', 'n': least(labels, 12), 'text': '{n:count} {n|label|labels}'},
      {'section': 'label_pairs', 'n': labelled, 'text': 'n = {n:count} {n|post|posts} with a label'},
      {'section': 'labels_per_post', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'unique_posts', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'left_out', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'},
      {'section': 'summary', 'n': posts, 'text': 'n = {n:count} {n|post|posts}'}
    ],
    recursive := true
  )
  from counted
)
select section, text, n
from bases
where n > 0
order by section;
