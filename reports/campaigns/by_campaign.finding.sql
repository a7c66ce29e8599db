-- grain: at most one row; none without a campaign that has EMV, or if none clearly leads without its largest post
-- reads: ranked_sums
select
  case
    when groups = 1 then '{campaign:text} earned {emv:money}, {emv_share:share} of the EMV of all posts'
    else '{campaign:text} leads with {emv:money}, {emv_share:share} of the EMV of all posts'
  end as text,
  name as campaign,
  total as emv,
  share as emv_share
from ranked_sums('campaign', 'emv')
where rank = 1 and (groups = 1 or leads);
