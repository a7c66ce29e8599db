-- grain: one kind of profile and one kind of interaction
-- key: kind, part
-- reads: engagement_mix
select
  kind_title(kind) as kind,
  part,
  value,
  case when sum(value) over (partition by engagement_mix.kind) > 0
    then value / sum(value) over (partition by engagement_mix.kind) end as share,
  posts_known,
  posts
from engagement_mix
order by kind_order(engagement_mix.kind), position;
