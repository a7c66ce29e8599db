-- grain: at most one row; none without a label of 10 posts, with 10 posts outside it
-- key: none
-- reads: report_posts
-- parameters: none
with labelled as (
  select unnest(labels) as label, engagements, impression_count
  from report_posts
),
labels as (
  select
    label,
    exact_sum(engagements) as engagements,
    sum(impression_count) filter (where engagements is not null) as impressions,
    count(engagements) as posts
  from labelled
  group by label
),
total as (
  select
    exact_sum(engagements) as engagements,
    sum(impression_count) filter (where engagements is not null) as impressions,
    count(engagements) as posts
  from report_posts
),
compared as (
  select
    label,
    labels.engagements / nullif(labels.impressions, 0) as rate,
    (total.engagements - labels.engagements) / nullif(total.impressions - labels.impressions, 0) as rate_without
  from labels
  cross join total
  where labels.posts >= 10 and total.posts - labels.posts >= 10
)
select
  'Posts labelled {label:text} engage {factor:decimal} times as well as those without' as text,
  label,
  rate / nullif(rate_without, 0) as factor
from compared
where rate > rate_without * 1.005
order by factor desc, label
limit 1;
