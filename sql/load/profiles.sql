-- grain: a profile, as the config has it, else as the newest run had it
-- key: workspace, profile_id
-- reads: run_parts
-- parameters: $profiles (a JSON array of the configured ones)
delete from profiles;

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
),
of_runs as (
  select workspace, profile.profile_id, max_by(profile, (started_at, run_id)) as profile
  from (
    select workspace, started_at, run_id, unnest(profiles) as profile
    from run_parts
  )
  group by workspace, profile.profile_id
)
from configured
union all
select workspace, profile_id, profile.name, profile.cpm
from of_runs
anti join configured using (workspace, profile_id);
