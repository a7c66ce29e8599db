-- grain: at most one row; none with fewer than 3 months, 10 posts with EMV or 1.5 times an even share, with the largest post and without it
select
  case
    when largest >= 0.25 * total
      then '{month:month} accounts for {share:share} of the EMV, {largest_share:share} of it from one post'
    else '{month:month} accounts for {share:share} of the EMV'
  end as text,
  name::date as month,
  share,
  largest / total as largest_share
from ranked_sums('month', 'emv')
where rank = 1
  and groups >= 3
  and posts_in_all >= 10
  -- the month needs 1.5 times an even share, or it is not worth mentioning
  and least(share, share_without_largest) >= 1.5 / groups;
