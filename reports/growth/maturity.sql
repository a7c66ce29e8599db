-- grain: one metric and one age in days, of metrics that some post has at both ages
-- key: metric, age
-- reads: growth_readings, growth_at_age, metrics
-- parameters: $final_day, $minimum_posts
with early as (
  select *
  from growth_at_age
  where age < $final_day::integer
),
-- the reading nearest to the final day, within a day of it
final as (
  select
    workspace,
    linkedin_post_id,
    arg_min(
      {
        'impression_count': impression_count::double,
        'engagements': engagements,
        'emv': emv,
        'video_view_count': video_view_count::double
      },
      abs(age_days - $final_day::integer) * 2 + (age_days > $final_day::integer)::integer
    ) as reading
  from growth_readings
  semi join early using (workspace, linkedin_post_id)
  where abs(age_days - $final_day::integer) <= 1
  group by workspace, linkedin_post_id
),
compared as (
  select metric, age, compared.early, compared.final
  from early
  join final using (workspace, linkedin_post_id)
  cross join lateral (
    values
      ('impression_count', early.impression_count::double, reading.impression_count),
      ('engagements', early.engagements, reading.engagements),
      ('emv', early.emv, reading.emv),
      ('video_view_count', early.video_view_count::double, reading.video_view_count)
  ) as compared (metric, early, final)
),
shares as (
  select position, title as metric, age, early, final, finite(early / nullif(final, 0)) as share
  from compared
  join metrics using (metric)
  where early is not null and final is not null
),
figures as (
  select
    position,
    metric,
    age,
    count(*) as posts,
    ratio_of_sums(early, final) as share,
    count(shares.share) as posts_with_share,
    quantile_cont(shares.share, 0.25) as p25,
    median(shares.share) as median,
    quantile_cont(shares.share, 0.75) as p75
  from shares
  group by position, metric, age
)
select
  metric,
  age,
  posts,
  case when posts >= $minimum_posts::bigint then share end as share,
  case when posts_with_share >= $minimum_posts::bigint then p25 end as p25,
  case when posts_with_share >= $minimum_posts::bigint then median end as median,
  case when posts_with_share >= $minimum_posts::bigint then p75 end as p75
from figures
order by position, age;
