-- grain: a campaign of the batch, its name as last given
-- key: workspace, campaign_id
-- reads: staged_mentions
-- parameters: none
merge into campaigns as known
using (
  select
    workspace,
    campaign_id,
    max_by(campaign_name, ordinal) as name,
    max(reading) filter (where campaign_name is not null) as name_reading
  from staged_mentions
  where campaign_id is not null
  group by workspace, campaign_id
) as batch
on known.workspace = batch.workspace
  and known.campaign_id = batch.campaign_id
when matched and batch.name_reading > coalesce(known.name_reading, '') then update set
  name = batch.name,
  name_reading = batch.name_reading
when not matched then insert (workspace, campaign_id, name, name_reading)
  values (batch.workspace, batch.campaign_id, batch.name, batch.name_reading);
