-- grain: one sentence about what the days leave out, in the page's order
-- key: text
-- reads: growth_readings, growth_posts, growth_days
with counted as (
  select
    (select max(captured_on) - min(captured_on) + 1 - count(distinct captured_on) from growth_readings) as days_missing,
    (select count(*) from growth_posts where has_gaps) as posts,
    (select sum(impressions) from growth_days where not is_single)::double as amount
),
facts as (
  select amount, unnest(
    [
      {
        'position': 1,
        'text': '{n:count} {n|day|days} in between without readings: {n|a gap|gaps}, not 0.',
        'n': days_missing
      },
      {
        'position': 2,
        'text': '{n:count} {n|post was|posts were} not read every day.'
          || case when amount is null then ''
            else ' {amount:count} impressions that came in such gaps are in columns of their own.' end,
        'n': posts
      }
    ],
    recursive := true
  )
  from counted
)
select text, n, case when contains(text, '{amount') then amount end as amount
from facts
where n > 0
order by position;
