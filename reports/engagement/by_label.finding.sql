-- grain: at most one row; none if no label does better within pages and within members
-- reads: engagement_labels
select
  'Posts labelled {label:text} get {factor:decimal} times the engagement rate of those without{among:phrase}' as text,
  among,
  label,
  lift_factor as factor
from engagement_labels
where is_finding and label <> '(none)'
order by lift_factor desc, label
limit 1;
