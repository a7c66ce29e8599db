-- grain: one sentence of a list about the posts behind the totals
-- reads: report_posts, report_removed, report_settings
with posts as (
  select
    nullif(count(*) filter (where engagements is null), 0) as without_engagement,
    nullif(count(*) filter (where engagement > 1), 0) as above_one,
    nullif(count(*) filter (where published_at is null), 0) as without_time,
    nullif(count(*) filter (where has_negative_count), 0) as negative
  from report_posts
),
removed_total as (
  select nullif(count(*), 0) as removed_posts, exact_sum(engagements) as amount
  from report_removed
)
select
  unnest([
    '{without_engagement:count} {without_engagement|post lacks|posts lack} engagement or impressions: excluded from the rate, not counted as 0.',
    '{above_one:count} {above_one|post has|posts have} an engagement above 100%. LinkedIn counts reactions for life and impressions for 12 months.',
    case
      when amount is null then '{removed_posts:count} removed {removed_posts|post is|posts are} {inclusion:phrase}.'
      else '{removed_posts:count} removed {removed_posts|post is|posts are} {inclusion:phrase} ({amount:count} {amount|engagement|engagements}).'
    end,
    '{without_time:count} {without_time|post has|posts have} no time of publication: included here, and in no month, week or hour.',
    '{negative:count} {negative|post has|posts have} a negative count, for example after a reaction was withdrawn. Kept as given.'
  ]) as text,
  posts.*,
  removed_total.*,
  included(removed) as inclusion
from posts
cross join removed_total
cross join report_settings;
