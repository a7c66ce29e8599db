-- grain: at most one row; none under 3 months, 10 synced videos or half more than an even share
-- key: none
-- reads: report_posts
-- parameters: none
with synced as (
  select published_month as month, video_view_count as views
  from report_posts
  where type = 'Video' and video_view_count is not null
),
months as (
  select
    month,
    sum(views) as views,
    count(*) as videos,
    max(views) / nullif(sum(views), 0) as largest_share
  from synced
  where month is not null
  group by month
),
total as (
  select sum(views) as views, count(*) as videos
  from synced
)
select
  '{month:month} brought {view_share:share} of the views'
    || case
      when months.videos > 1 and largest_share between 0.25 and 1
        then '; one video was {largest_share:share} of that month'
      else ''
    end as text,
  month,
  months.views / total.views as view_share,
  largest_share
from months
cross join total
where total.views > 0
  and total.videos >= 10
  and (select count(*) from months) >= 3
  -- half more than an even share, or it is nothing to speak of
  and months.views / total.views >= 1.5 / (select count(*) from months)
order by months.views desc, month
limit 1;
