-- grain: at most one row; none if no length is watched clearly more than the others, within pages and within members
select
  '{length:phrase} are watched to {share:rate}, other videos to {others:rate}{among:phrase}' as text,
  case name
    when 'Under 30 s' then 'Videos under 30 s'
    when '30–60 s' then 'Videos of 30–60 s'
    when '1–3 min' then 'Videos of 1–3 min'
    else 'Videos over 3 min'
  end as length,
  ratio as share,
  ratio_without as others,
  among
from compared_of('video_kinds', 'length', 10)
where is_finding and is_compared and name is not null
order by factor desc, name
limit 1;
