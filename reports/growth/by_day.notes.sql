-- grain: one sentence of a list about what the days leave out
-- reads: growth_readings, growth_posts, growth_days
with counted as (
  select
    (select nullif(max(captured_on) - min(captured_on) + 1 - count(distinct captured_on), 0) from growth_readings)
      as days_missing,
    (select nullif(count(*), 0) from growth_posts where has_gaps) as posts,
    (select sum(impressions) from growth_days where not is_single)::double as amount
)
select
  unnest([
    '{days_missing:count} {days_missing|day|days} in between without readings: {days_missing|a gap|gaps}, not 0.',
    case
      when amount is null then '{posts:count} {posts|post was|posts were} not read every day.'
      else '{posts:count} {posts|post was|posts were} not read every day. {amount|# impression that came in such a gap is|# impressions that came in such gaps are} in columns of their own.'
    end
  ]) as text,
  *
from counted;
