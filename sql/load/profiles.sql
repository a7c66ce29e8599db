-- grain: a profile, as the config says, else as the newest run said
-- key: workspace, profile_id
-- reads: none
-- parameters: $profiles (a JSON array; told_by is 'config', which sorts after every run, or a run's start and id)
merge into profiles as known
using (
  select profile.*
  from (
    select unnest(
      from_json(
        $profiles::json,
        '[{
          "workspace": "VARCHAR", "profile_id": "VARCHAR", "name": "VARCHAR", "cpm": "DOUBLE",
          "told_by": "VARCHAR"
        }]'
      )
    ) as profile
  )
  qualify row_number() over (
    partition by profile.workspace, profile.profile_id
    order by profile.told_by desc
  ) = 1
) as batch
on known.workspace = batch.workspace
  and known.profile_id = batch.profile_id
when matched
  and batch.told_by >= known.told_by
  and (batch.name, batch.cpm, batch.told_by) is distinct from (known.name, known.cpm, known.told_by)
then update set
  name = batch.name,
  cpm = batch.cpm,
  told_by = batch.told_by
when not matched then insert (workspace, profile_id, name, cpm, told_by)
  values (batch.workspace, batch.profile_id, batch.name, batch.cpm, batch.told_by);
