-- grain: one section of a list: its basis
-- key: section
-- reads: label_groups, label_totals
with groups as (
  select nullif(count(*), 0) as labels, nullif(least(count(*), 12), 0) as drawn
  from label_groups
  where dimension = 'label' and name <> '(none)'
),
totals as (
  select
    nullif(any_value(posts) filter (where dimension = 'labelled'), 0) as labelled,
    nullif(any_value(posts) filter (where dimension = 'all'), 0) as posts
  from label_totals
  where is_current
)
select
  unnest(
    [
      {'section': 'by_label', 'text': '{labels:count} {labels|label|labels}'},
      {'section': 'by_label_month', 'text': '{drawn:count} {drawn|label|labels}'},
      {'section': 'label_pairs', 'text': 'n = {labelled:count} {labelled|post|posts} with a label'},
      {'section': 'labels_per_post', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'unique_posts', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'left_out', 'text': 'n = {posts:count} {posts|post|posts}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  *
from groups
cross join totals;
