-- grain: one sentence of a list about the posts behind the totals; none without readings
-- reads: report_removed, report_settings, growth_posts
with histories as (
  select min(first_on) as first_on, nullif(count(*) filter (where first_age > 7), 0) as late, count(*) as posts
  from growth_posts
),
removed_total as (
  select nullif(count(*), 0) as removed_posts
  from report_removed
)
select
  unnest([
    'Growth is the difference between two readings. What a post had at its first reading is not included.',
    '{late:count} {late|post was|posts were} first read more than 7 days after publication, so {late|its|their} early days are unknown. Readings start on {first_on:date}.',
    case when has_period
      then 'The period is that of the readings; earlier posts that were read in it are included.' end,
    case when cpm is null
      then 'EMV follows the CPM of each reading: a change of the CPM adds or removes EMV without a single impression.' end,
    '{removed_posts:count} removed {removed_posts|post is|posts are} {inclusion:phrase}.'
  ]) as text,
  late,
  first_on,
  removed_posts,
  included(removed) as inclusion
from histories
cross join removed_total
cross join report_settings
where posts > 0 or removed_posts > 0;
