-- grain: one sentence, in the page's order
-- key: text
-- reads: label_groups, label_totals, report_posts
with counted as (
  select
    (select count(*) from report_posts where len(labels) > 1) as overlapping,
    (select exact_sum(emv_share) from label_groups where dimension = 'label') as share,
    total.posts - total.rated_posts as unrated,
    total.rated_posts,
    labelled.posts as labelled
  from label_totals as total
  cross join label_totals as labelled
  where total.is_current and total.dimension = 'all' and labelled.is_current and labelled.dimension = 'labelled'
),
facts as (
  select
    case when share > 1.0005 then share end as share,
    unnest(
      [
        {
          'position': 1,
          'text': '{n:count} {n|post has|posts have} several labels and {n|counts|count} under each'
            || case when share > 1.0005 then ': shares add up to {share:share}.' else '.' end,
          'n': nullif(overlapping, 0)
        },
        {
          'position': 2,
          'text': 'A difference between posts with and without a label is not necessarily its effect: they may differ in other ways.',
          'n': nullif(labelled, 0)
        },
        {
          'position': 3,
          'text': '{n:count} {n|post|posts} without an engagement rate {n|is|are} in the table but not in the chart.',
          'n': case when rated_posts > 0 then nullif(unrated, 0) end
        }
      ],
      recursive := true
    )
  from counted
)
select text, n, share
from facts
where n is not null
order by position;
