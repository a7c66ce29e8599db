-- grain: a profile that the load touches, as in the config or else as in its newest run
-- key: workspace, profile_id
-- reads: configured_profiles, new_parts, profiles, run_parts
-- parameters: $all (after a change of the configured ones)
create or replace temp table touched_profiles as
select workspace, unnest(profiles).profile_id as profile_id
from new_parts
union
select workspace, unnest(profiles).profile_id as profile_id
from run_parts
where $all
union
select workspace, profile_id
from configured_profiles
where $all
union
select workspace, profile_id
from profiles
where $all;

delete from profiles
using touched_profiles as touched
where profiles.workspace = touched.workspace
  and profiles.profile_id = touched.profile_id;

insert into profiles by name
with former as (
  select workspace, profile_id
  from touched_profiles
  anti join configured_profiles using (workspace, profile_id)
),
of_runs as (
  select workspace, profile.profile_id, max_by(profile, (started_at, run_id)) as profile
  from (
    select workspace, started_at, run_id, unnest(profiles) as profile
    from run_parts
    where workspace in (select workspace from former)
  )
  group by workspace, profile.profile_id
)
from configured_profiles
semi join touched_profiles using (workspace, profile_id)
union all
select workspace, profile_id, profile.name, profile.cpm, null, null
from of_runs
semi join former using (workspace, profile_id);
