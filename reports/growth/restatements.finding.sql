-- grain: at most one row; none if fewer than 10 posts lost impressions, or gained some after day 30
-- reads: growth_increments
-- parameters: $since
with changes as (
  select post_number, impression_count as change, impression_count < 0 as is_decrease
  from growth_increments
  where captured_on >= coalesce($since::date, date '-infinity')
    and (impression_count < 0 or (impression_count > 0 and age_days - days >= 30))
),
figures as (
  select
    count(distinct post_number) filter (where is_decrease) as posts_fell,
    -sum(change) filter (where is_decrease) as fell,
    count(distinct post_number) filter (where not is_decrease) as posts_late,
    sum(change) filter (where not is_decrease) as late
  from changes
)
select
  case
    when posts_fell >= 10 and posts_late >= 10
      then 'LinkedIn revised {posts_fell|# post|# posts} down by {fell|# impression|# impressions}, and {posts_late:count} up by {late:count} after day 30'
    when posts_fell >= 10 then 'LinkedIn revised {posts_fell|# post|# posts} down by {fell|# impression|# impressions}'
    else 'LinkedIn revised {posts_late|# post|# posts} up by {late|# impression|# impressions} after day 30'
  end as text,
  posts_fell,
  coalesce(fell, 0)::double as fell,
  posts_late,
  coalesce(late, 0)::double as late
from figures
where posts_fell >= 10 or posts_late >= 10;
