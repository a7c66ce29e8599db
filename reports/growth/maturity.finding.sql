-- grain: at most one row; none without enough posts that were read at 7 days and at the final age
-- reads: growth_readings, growth_at_age
-- parameters: $final_day, $minimum_posts
with early as (
  select workspace, linkedin_post_id, impression_count
  from growth_at_age
  where age = 7 and $final_day::integer > 7 and impression_count is not null
),
final as (
  select
    workspace,
    linkedin_post_id,
    arg_min(
      {'impressions': impression_count},
      abs(age_days - $final_day::integer) * 2 + (age_days > $final_day::integer)::integer
    ) as reading
  from growth_readings
  semi join early using (workspace, linkedin_post_id)
  where abs(age_days - $final_day::integer) <= 1
  group by workspace, linkedin_post_id
),
figures as (
  select
    count(*) as posts,
    ratio_of_sums(early.impression_count, final.reading.impressions) as share
  from early
  join final using (workspace, linkedin_post_id)
  where final.reading.impressions is not null
)
select
  'After 7 days posts have {share:rate} of the impressions of day {final_day:count} (n = {posts:count})' as text,
  share,
  posts,
  $final_day::integer as final_day
from figures
where posts >= $minimum_posts::bigint;
