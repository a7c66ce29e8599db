-- grain: at most one row; none if fewer than 10 posts gained in the last week
-- reads: growth_known, report_facts
with week as (
  select
    any_value(last_read_on) as newest_on,
    arg_max(impression_count, captured_on) filter (where captured_on >= last_read_on - 1)
      - arg_min(
        impression_count,
        abs(captured_on - last_read_on + 7) * 10 + (captured_on > last_read_on - 7)::integer
      ) filter (where captured_on between last_read_on - 8 and last_read_on - 6) as gained
  from growth_known
  cross join report_facts
  where captured_on >= last_read_on - 8
  group by post_number
),
figures as (
  select
    count(*) as posts,
    sum(gained)::double as impressions,
    max(gained) / sum(gained) as largest_share,
    any_value(newest_on) as newest_on
  from week
  where gained > 0
)
select
  case
    when largest_share >= 0.25
      then '{posts|# post|# posts} gained {impressions|# impression|# impressions} in the 7 days to {newest_on:date}, {largest_share:share} of them on one post'
    else '{posts|# post|# posts} gained {impressions|# impression|# impressions} in the 7 days to {newest_on:date}'
  end as text,
  *
from figures
where posts >= 10;
