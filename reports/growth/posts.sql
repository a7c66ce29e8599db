-- grain: one LinkedIn post
-- key: workspace, linkedin_post_id
-- reads: report_read_posts, growth_known, growth_readings, growth_posts, growth_at_age
with newest as (
  select max(last_on) as newest_on
  from growth_posts
),
early as (
  select
    workspace,
    linkedin_post_id,
    any_value(impression_count) filter (where age = 1) as impressions_day_1,
    any_value(impression_count) filter (where age = 7) as impressions_day_7,
    any_value(impression_count) filter (where age = 30) as impressions_day_30
  from growth_at_age
  group by workspace, linkedin_post_id
),
now as (
  select growth_readings.*
  from growth_readings
  cross join newest
  where captured_on >= newest_on - 1
  qualify row_number() over (partition by workspace, linkedin_post_id order by captured_on desc) = 1
),
-- this is the reading of a week before that one, or of the day before or after it
week_before as (
  select readings.*
  from growth_known as readings
  join now using (workspace, linkedin_post_id)
  where readings.captured_on between now.captured_on - 8 and now.captured_on - 6
  qualify row_number() over (
    partition by workspace, linkedin_post_id
    order by abs(readings.captured_on - now.captured_on + 7), readings.captured_on
  ) = 1
),
week as (
  select
    workspace,
    linkedin_post_id,
    now.impression_count - week_before.impression_count as impressions_7_days,
    now.engagements - week_before.engagements as engagements_7_days,
    now.emv - week_before.emv as emv_7_days
  from now
  join week_before using (workspace, linkedin_post_id)
)
select
  columns(post_columns()),
  impression_count as impressions,
  week.impressions_7_days,
  week.engagements_7_days,
  week.emv_7_days,
  early.impressions_day_1,
  early.impressions_day_7,
  early.impressions_day_30,
  growth_posts.first_age as first_read_age,
  coalesce(growth_posts.readings, 0) as readings,
  growth_posts.last_on as last_read_on
from report_read_posts
left join growth_posts using (workspace, linkedin_post_id)
left join early using (workspace, linkedin_post_id)
left join week using (workspace, linkedin_post_id)
order by
  impressions_7_days desc nulls last,
  impressions desc nulls last,
  published_at nulls last,
  workspace,
  linkedin_post_id;
