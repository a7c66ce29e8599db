-- grain: one age of posts in days, or several ages from 31 days on
-- key: age_from
-- reads: growth_gains
-- parameters: $minimum_posts
select
  age_from,
  case age_from when 31 then '31–60' when 61 then '61–90' when 91 then '91 and more' else age_from::varchar end as age,
  count(distinct post_number) as posts,
  sum(impression_count) as impressions,
  exact_sum(engagements) as engagements,
  exact_sum(emv) as emv,
  sum(video_view_count) as views,
  case
    when count(distinct post_number) filter (where impression_count is not null) >= $minimum_posts::bigint
      then median(impression_count / days)
  end as median_impressions,
  case
    when count(distinct post_number) filter (where engagements is not null) >= $minimum_posts::bigint
      then median(engagements / days)
  end as median_engagements,
  case
    when count(distinct post_number) filter (where emv is not null) >= $minimum_posts::bigint
      then median(emv / days)
  end as median_emv
from growth_gains
group by age_from
order by age_from;
