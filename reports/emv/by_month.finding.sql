-- grain: at most one row; none under 3 months, 10 posts with EMV or half more than an even share, with the largest post and without it
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
  -- half more than an even share, or it is nothing to speak of
  and least(share, share_without_largest) >= 1.5 / groups;
