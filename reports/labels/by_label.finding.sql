-- grain: at most one row; none if no label does better within pages and within members
-- parameters: $minimum_posts
select
  'Posts labelled {label:text} lead with a rate of {rate:rate}, {lift:pp} compared with other posts{among:phrase}' as text,
  among,
  name as label,
  ratio as rate,
  lift
from compared_of('label_rates', 'label', $minimum_posts::bigint)
where is_finding and name <> '(none)'
order by lift desc, name
limit 1;
