-- grain: at most one row: the sentence above the section; none where it would say little
-- reads: report_posts
-- parameters: $price
with months as (
  select published_month as month, exact_sum(engagements) * $price::double as worth
  from report_posts
  where published_month is not null
  group by published_month
)
-- {column:format} is filled from the same row
select '{month:month} brought the most, {worth:money}' as text, month, worth
from months
where worth > 0 and (select count(*) from months where worth is not null) > 1
order by worth desc, month
limit 1;
