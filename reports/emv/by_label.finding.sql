-- grain: at most one row; none without a label that has EMV, or if none clearly leads without its largest post
select
  case
    when groups = 1 then '{label:text} earned {emv:money}, {emv_share:share} of the EMV'
    else '{label:text} leads with {emv:money}, {emv_share:share} of the EMV'
  end as text,
  name as label,
  total as emv,
  share as emv_share
from ranked_sums('label', 'emv')
where rank = 1 and (groups = 1 or leads);
