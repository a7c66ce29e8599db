-- grain: a run's part that the archive has and the warehouse has not
-- key: place
-- reads: run_parts
-- parameters: $places
select distinct given.place
from (select unnest($places) as place) as given
left join run_parts
  on given.place = run_parts.workspace || '/' || run_parts.run_id
where run_parts.run_id is null
order by given.place;
