-- grain: at most one row; none without a campaign that had EMV removed, or if none clearly had the most without its largest post
select
  case
    when earning = 1
      then '{posts|The removed post|The # removed posts} of {name:text} had earned {emv:money} of EMV'
    else '{posts|The removed post|The # removed posts} of {name:text} had earned the most EMV, {emv:money}'
  end as text,
  *
from removed_leader('campaign')
where emv > 0 and (earning = 1 or leads);
