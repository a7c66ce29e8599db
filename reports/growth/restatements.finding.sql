-- grain: at most one row; none if fewer than 10 posts lost impressions, or gained some after day 30
-- reads: growth_restated
with figures as (
  select
    count(distinct post_number) filter (where is_decrease) as posts_fell,
    coalesce(-sum(change) filter (where is_decrease), 0) as fell,
    count(distinct post_number) filter (where not is_decrease) as posts_late,
    coalesce(sum(change) filter (where not is_decrease), 0) as late
  from growth_restated
  where metric = 'impression_count'
)
select
  case
    when posts_fell >= 10 and posts_late >= 10
      then 'LinkedIn revised {posts_fell|# post|# posts} down by {fell|# impression|# impressions}, and {posts_late:count} up by {late:count} after day 30'
    when posts_fell >= 10 then 'LinkedIn revised {posts_fell|# post|# posts} down by {fell|# impression|# impressions}'
    else 'LinkedIn revised {posts_late|# post|# posts} up by {late|# impression|# impressions} after day 30'
  end as text,
  *
from figures
where posts_fell >= 10 or posts_late >= 10;
