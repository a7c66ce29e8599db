-- grain: at most one row; none with fewer than 3 months (or weeks, or quarters), 10 posts with EMV or 1.5 times an even share, with the largest post and without it
-- reads: report_grain
select
  case
    when largest >= 0.25 * total
      then '{when:phrase} accounts for {share:share} of the EMV, {largest_share:share} of it from one post'
    else '{when:phrase} accounts for {share:share} of the EMV'
  end as text,
  name::date as month,
  case grain
    when 'week' then 'The week of {month:date}'
    when 'quarter' then '{month:quarter}'
    else '{month:month}'
  end as when,
  share,
  largest / total as largest_share
from ranked_sums('month', 'emv')
cross join report_grain
where rank = 1
  and groups >= 3
  and posts_in_all >= 10
  -- it needs 1.5 times an even share, or it is not worth mentioning
  and least(share, share_without_largest) >= 1.5 / groups;
