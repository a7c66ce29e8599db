-- grain: one sentence of a list about the basis of the figures
-- reads: report_settings, report_facts
select
  unnest([
    'All days that jobs ask for should have been read, up to {yesterday:date}.',
    case when as_of is not null then 'Readings and runs after {day:date} are excluded.' end,
    case when has_period
      then 'The period selects posts, date ranges and gaps by day of publication. Runs and rejected records are not limited to it.' end,
    '{removed_posts:count} removed {removed_posts|post is|posts are} {inclusion:phrase}.'
  ]) as text,
  today as day,
  today - 1 as yesterday,
  nullif(report_facts.removed_posts, 0) as removed_posts,
  included(removed) as inclusion
from report_facts
cross join report_settings;
