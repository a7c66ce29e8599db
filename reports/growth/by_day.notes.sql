-- grain: one sentence about what the days leave out, in the page's order
-- key: text
-- reads: growth_readings, growth_posts, growth_days
-- parameters: none
with days as (
  select
    count(distinct captured_on) as days_read,
    max(captured_on) - min(captured_on) + 1 as days
  from growth_readings
),
longer as (
  select sum(impressions) as impressions
  from growth_days
  where not is_single
),
posts as (
  select count(*) as posts
  from growth_posts
  where has_gaps
),
facts as (
  select
    1 as position,
    case
      when days - days_read = 1 then '{n:count} day in between was not read: a gap, not a 0.'
      else '{n:count} days in between were not read: gaps, not zeros.'
    end as text,
    (days - days_read)::double as n,
    null::double as amount
  from days
  where days > days_read
  union all
  select
    2,
    case when posts = 1 then '{n:count} post was' else '{n:count} posts were' end
      || ' at times read again only after several days.'
      || case
        when impressions is null then ''
        else ' The {amount:count} impressions that came in between belong to no single day and stand in columns of their own.'
      end,
    posts,
    impressions
  from longer
  cross join posts
  where posts > 0
)
select text, n, amount
from facts
order by position;
