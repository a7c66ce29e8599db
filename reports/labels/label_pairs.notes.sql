-- grain: at most one row; none if all pairs are listed
-- reads: report_posts
with firsts as (
  select labels, unnest(labels) as label
  from report_posts
  where len(labels) > 1
),
pairs as (
  select distinct label, unnest(list_filter(labels, lambda other: other > label)) as other_label
  from firsts
),
counted as (
  select count(*) as n
  from pairs
)
select 'The 50 most frequent of {n:count} pairs are listed.' as text, n
from counted
where n > 50;
