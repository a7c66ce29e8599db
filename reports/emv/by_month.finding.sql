-- grain: at most one row; none under 3 months, 10 posts with EMV or half more than an even share
-- key: none
-- reads: report_posts
-- parameters: none
with priced as (
  select published_month as month, emv
  from report_posts
  where published_month is not null and emv is not null
),
months as (
  select
    month,
    exact_sum(emv) as emv,
    count(*) as posts,
    max(emv) / nullif(exact_sum(emv), 0) as largest_share
  from priced
  group by month
),
total as (
  select exact_sum(emv) as emv, count(*) as posts
  from report_posts
  where emv is not null
),
first as (
  select
    months.month,
    months.posts,
    months.emv / total.emv as emv_share,
    largest_share,
    (select count(*) from months) as months,
    total.posts as all_posts
  from months
  cross join total
  where total.emv > 0
  order by months.emv desc, months.month
  limit 1
)
select
  '{month:month} brought {emv_share:share} of the EMV'
    || case
      when posts > 1 and largest_share between 0.25 and 1
        then '; one post was {largest_share:share} of that month'
      else ''
    end as text,
  month,
  emv_share,
  largest_share
from first
-- half more than an even share, or it is nothing to speak of
where months >= 3 and all_posts >= 10 and emv_share >= 1.5 / months;
