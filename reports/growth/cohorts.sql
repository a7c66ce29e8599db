-- grain: one month of publication; posts without a time have no age and are in none
-- key: month
-- reads: growth_posts, report_times
--
-- part: how much of the month was read; a post of the other days is in none.
select
  month,
  part_beside(any_value(known_part)) as part,
  coalesce(any_value(known_days < days), false) as is_part,
  count(*) as posts,
  count(posts.impressions_day_1) as posts_day_1,
  sum(posts.impressions_day_1) as impressions_day_1,
  exact_sum(posts.emv_day_1) as emv_day_1,
  count(posts.impressions_day_7) as posts_day_7,
  sum(posts.impressions_day_7) as impressions_day_7,
  exact_sum(posts.emv_day_7) as emv_day_7,
  count(posts.impressions_day_30) as posts_day_30,
  sum(posts.impressions_day_30) as impressions_day_30,
  exact_sum(posts.emv_day_30) as emv_day_30,
  count(posts.impressions_day_1 + posts.impressions_day_30) as posts_day_1_and_30,
  ratio_of_sums(posts.impressions_day_1, posts.impressions_day_30) as day_1_of_30,
  count(posts.impressions_day_7 + posts.impressions_day_30) as posts_day_7_and_30,
  ratio_of_sums(posts.impressions_day_7, posts.impressions_day_30) as day_7_of_30,
  count(posts.emv_day_1) as posts_emv_day_1,
  count(posts.emv_day_7) as posts_emv_day_7,
  count(posts.emv_day_30) as posts_emv_day_30
from growth_posts as posts
left join report_times on dimension = 'month' and start = month and report_times.workspace = ''
where month is not null
group by month
order by month;
