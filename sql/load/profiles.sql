-- grain: a profile, as the config says, else as the newest run said
-- key: workspace, profile_id
-- reads: profiles
-- parameters: $profiles (a JSON array; told_by is 'config', or a run's start and id, which sort as runs follow one another)
merge into profiles as known
using (
  with given as (
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
  ),
  configured as (
    select workspace, profile_id, {'name': name, 'cpm': cpm, 'told_by': told_by} as said
    from given
    where told_by = 'config'
  ),
  -- what earlier loads have from runs, and these parts
  told as (
    select workspace, profile_id, max_by(said, said.told_by) as said
    from (
      select workspace, profile_id, {'name': name, 'cpm': cpm, 'told_by': told_by} as said
      from given
      where told_by <> 'config'
      union all
      select workspace, profile_id, last_run as said
      from profiles
      where last_run is not null
    )
    group by workspace, profile_id
  ),
  known_before as (
    select workspace, profile_id, {'name': name, 'cpm': cpm, 'told_by': told_by} as said
    from profiles
  )
  select
    workspace,
    profile_id,
    coalesce(configured.said, told.said, known_before.said) as said,
    told.said as last_run
  from known_before
  full join told using (workspace, profile_id)
  full join configured using (workspace, profile_id)
) as batch
on known.workspace = batch.workspace
  and known.profile_id = batch.profile_id
when matched
  and (batch.said.name, batch.said.cpm, batch.said.told_by, batch.last_run)
    is distinct from (known.name, known.cpm, known.told_by, known.last_run)
then update set
  name = batch.said.name,
  cpm = batch.said.cpm,
  told_by = batch.said.told_by,
  last_run = batch.last_run
when not matched then insert (workspace, profile_id, name, cpm, told_by, last_run)
  values (
    batch.workspace,
    batch.profile_id,
    batch.said.name,
    batch.said.cpm,
    batch.said.told_by,
    batch.last_run
  );
