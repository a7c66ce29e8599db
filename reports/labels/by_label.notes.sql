-- grain: one sentence of a list
-- reads: label_groups, label_totals, report_posts
with counted as (
  select
    (select nullif(count(*), 0) from report_posts where len(labels) > 1) as overlapping,
    (select exact_sum(emv_share) from label_groups where dimension = 'label') as share,
    (select posts from label_totals where is_current and dimension = 'labelled') as labelled,
    (
      select case when rated_posts > 0 then nullif(posts - rated_posts, 0) end
      from label_totals
      where is_current and dimension = 'all'
    ) as unrated
)
select
  unnest([
    case
      when share > 1.0005
        then '{overlapping:count} {overlapping|post has|posts have} several labels and {overlapping|counts|count} under each: shares add up to {share:share}.'
      else '{overlapping:count} {overlapping|post has|posts have} several labels and {overlapping|counts|count} under each.'
    end,
    case when labelled > 0
      then 'A difference between posts with and without a label is not necessarily its effect: they may differ in other ways.' end,
    '{unrated:count} {unrated|post|posts} without an engagement rate {unrated|is|are} in the table but not in the chart.'
  ]) as text,
  overlapping,
  share,
  unrated
from counted;
