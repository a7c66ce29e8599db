-- grain: at most one row; none where no label does better within pages and within members
-- key: none
-- reads: none
-- parameters: $minimum_posts
select
  'Posts with {label:text} lead: engagement rate {rate:rate}, {lift:pp} against all others' || among as text,
  name as label,
  ratio as rate,
  lift
from compared('label', 'rate', $minimum_posts::bigint)
where is_finding and name <> '(none)'
order by lift desc, name
limit 1;
