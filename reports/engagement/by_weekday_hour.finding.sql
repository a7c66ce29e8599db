-- grain: at most one row; none if no hour does better within pages and within members
-- reads: compared_of
select
  '{weekday:weekday}s at {hour:hour} get {factor:decimal} times the engagement rate of other hours{within:phrase}{over:phrase}' as text,
  within,
  over,
  compared_months,
  compared_to,
  compared_posts,
  left(name, 1)::integer as weekday,
  right(name, 2)::integer as hour,
  judged_factor as factor
from compared_of('engagement_slots', 'slot', 10)
where is_finding
order by factor desc, name
limit 1;
