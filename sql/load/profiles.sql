-- grain: a profile, as the config has it, else as the newest run had it
-- key: workspace, profile_id
-- reads: new_parts, profiles, run_parts
-- parameters: $profiles (a JSON array of the configured ones), $all (after a change of these)
--
-- Of the workspaces that the load touches.
create or replace temp table touched_profiles as
select workspace
from new_parts
union
select workspace
from run_parts
where $all
union
select workspace
from profiles
where $all
union
select unnest(json_extract_string($profiles, '$[*].workspace'))
where $all;

delete from profiles
using touched_profiles as touched
where profiles.workspace = touched.workspace;

insert into profiles by name
with configured as (
  select profile.*
  from (
    select
      unnest(
        from_json(
          $profiles::json,
          '[{"workspace": "VARCHAR", "profile_id": "VARCHAR", "name": "VARCHAR", "cpm": "DOUBLE"}]'
        )
      ) as profile
  )
  where profile.workspace in (select workspace from touched_profiles)
),
of_runs as (
  select workspace, profile.profile_id, max_by(profile, (started_at, run_id)) as profile
  from (
    select workspace, started_at, run_id, unnest(profiles) as profile
    from run_parts
    where workspace in (select workspace from touched_profiles)
  )
  group by workspace, profile.profile_id
)
from configured
union all
select workspace, profile_id, profile.name, profile.cpm
from of_runs
anti join configured using (workspace, profile_id);
