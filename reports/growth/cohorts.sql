-- grain: one month of publication; posts without a time have no age and are in none
-- key: month
-- reads: report_read_posts, growth_at_age
with early as (
  select
    workspace,
    linkedin_post_id,
    any_value(impression_count) filter (where age = 1) as impressions_1,
    any_value(impression_count) filter (where age = 7) as impressions_7,
    any_value(impression_count) filter (where age = 30) as impressions_30,
    any_value(emv) filter (where age = 1) as emv_1,
    any_value(emv) filter (where age = 7) as emv_7,
    any_value(emv) filter (where age = 30) as emv_30
  from growth_at_age
  group by workspace, linkedin_post_id
)
select
  report_read_posts.published_month as month,
  count(*) as posts,
  count(impressions_1) as posts_day_1,
  sum(impressions_1) as impressions_day_1,
  exact_sum(emv_1) as emv_day_1,
  count(impressions_7) as posts_day_7,
  sum(impressions_7) as impressions_day_7,
  exact_sum(emv_7) as emv_day_7,
  count(impressions_30) as posts_day_30,
  sum(impressions_30) as impressions_day_30,
  exact_sum(emv_30) as emv_day_30,
  count(*) filter (where impressions_1 is not null and impressions_30 is not null) as posts_day_1_and_30,
  ratio_of_sums(impressions_1, impressions_30) as day_1_of_30,
  count(*) filter (where impressions_7 is not null and impressions_30 is not null) as posts_day_7_and_30,
  ratio_of_sums(impressions_7, impressions_30) as day_7_of_30,
  count(emv_1) as posts_emv_day_1,
  count(emv_7) as posts_emv_day_7,
  count(emv_30) as posts_emv_day_30
from report_read_posts
left join early using (workspace, linkedin_post_id)
where report_read_posts.published_month is not null
group by report_read_posts.published_month
order by month;
