-- grain: one sentence of a list about the posts behind the totals; none without readings
-- reads: report_facts
select
  unnest([
    'Growth is the difference between two readings. What a post had at its first reading is not included.',
    '{late:count} {late|post was|posts were} first read more than 7 days after publication, so {late|its|their} early days are unknown. Readings start on {first_read_on:date}.',
    case when has_period
      then 'The period is that of the readings; earlier posts that were read in it are included.' end,
    case when cpm is null
      then 'EMV follows the CPM of each reading: a change of the CPM adds or removes EMV without a single impression.' end,
    '{removed_posts:count} removed {removed_posts|post is|posts are} {inclusion:phrase}.'
  ]) as text,
  nullif(posts_read_late, 0) as late,
  first_read_on,
  nullif(report_facts.removed_posts, 0) as removed_posts,
  inclusion
from report_facts
where posts_read > 0 or report_facts.removed_posts > 0;
