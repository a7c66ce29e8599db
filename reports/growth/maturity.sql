-- grain: one metric and one age in days, of metrics that some post has at both ages
-- key: metric, age
-- reads: growth_readings, growth_at_age
-- parameters: $final_day, $minimum_posts
with early as (
  select *
  from growth_at_age
  where age < $final_day::integer
),
-- the reading nearest to the final day, from the day before it on
final as (
  select
    workspace,
    linkedin_post_id,
    arg_min(
      {
        'impressions': impression_count::double,
        'engagements': engagements,
        'emv': emv,
        'views': video_view_count::double
      },
      abs(age_days - $final_day::integer) * 2 + (age_days > $final_day::integer)::integer
    ) as reading
  from growth_readings
  semi join early using (workspace, linkedin_post_id)
  where age_days >= $final_day::integer - 1
  group by workspace, linkedin_post_id
),
metrics as (
  select position, metric, age, metrics.early, metrics.final
  from early
  join final using (workspace, linkedin_post_id)
  cross join lateral (
    values
      (1, 'Impressions', early.impression_count::double, reading.impressions),
      (2, 'Engagements', early.engagements, reading.engagements),
      (3, 'EMV', early.emv, reading.emv),
      (4, 'Video views', early.video_view_count::double, reading.views)
  ) as metrics (position, metric, early, final)
),
shares as (
  select *, finite(early / nullif(final, 0)) as share
  from metrics
  where early is not null and final is not null
),
figures as (
  select
    position,
    metric,
    age,
    count(*) as posts,
    ratio_of_sums(early, final) as share,
    count(share) as posts_with_share,
    quantile_cont(share, 0.25) as p25,
    median(share) as median,
    quantile_cont(share, 0.75) as p75
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
