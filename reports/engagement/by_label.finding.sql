-- grain: at most one row; none without a label of 10 posts, with 10 posts outside it
-- key: none
-- reads: engagement_labels
-- parameters: none
select
  'Posts labelled {label:text} engage {factor:decimal} times as well as those without' as text,
  label,
  lift_factor as factor
from engagement_labels
where label <> '(none)' and rate_without > 0 and lift_factor > 1.005
order by lift_factor desc, label
limit 1;
