-- grain: one difference between the planned and the actual time of publication
-- key: punctuality
-- reads: workflow_members
select
  punctuality_of(delay_seconds) as punctuality,
  count(*) as posts,
  count(*) / sum(count(*)) over () as posts_share,
  median(delay_seconds) / 3600 as delay_hours
from workflow_members
where dimension = 'all' and delay_seconds is not null
group by punctuality
order by punctuality_order(punctuality);
