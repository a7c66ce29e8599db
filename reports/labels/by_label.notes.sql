-- grain: one sentence, in the page's order
-- key: text
-- reads: label_sums, label_totals, report_posts
-- parameters: none
with overlapping as (
  select count(*) as n
  from report_posts
  where len(labels) > 1
),
shares as (
  select exact_sum(label_sums.emv) / nullif(any_value(label_totals.emv), 0) as share
  from label_sums
  cross join label_totals
  where label_sums.is_current
    and label_sums.dimension = 'label'
    and not label_sums.is_monthly
    and label_totals.is_current
    and label_totals.dimension = 'all'
),
facts as (
  select
    1 as position,
    case
      when n = 1 then '{n:count} post has several labels and counts under each'
      else '{n:count} posts have several labels and count under each'
    end
      || case when share > 1.0005 then ': the shares add up to {share:share}, so rows are not to be added up.'
        else ', so rows are not to be added up.' end as text,
    n,
    share
  from overlapping
  cross join shares
  where n > 0
  union all
  select
    2,
    'A difference between posts with and without a label is not what the label did: they may differ in more than it.',
    null,
    null
  from label_totals
  where is_current and dimension = 'labelled' and posts > 0
  union all
  select
    3,
    case when posts - rated_posts = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no engagement rate: the drawing counts posts that have one, the table all.',
    posts - rated_posts,
    null
  from label_totals
  where is_current and dimension = 'all' and posts > rated_posts and rated_posts > 0
)
select text, n, share
from facts
order by position;
