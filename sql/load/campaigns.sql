-- grain: a campaign of the batch, its name and its dates as last given
-- key: workspace, campaign_id
-- reads: staged_mentions
-- parameters: none
merge into campaigns as known
using (
  select
    workspace,
    campaign_id,
    max_by(campaign_name, ordinal) as name,
    max(reading) filter (where campaign_name is not null) as name_reading,
    max_by(campaign_dates, ordinal) as dates,
    max(reading) filter (where campaign_dates is not null) as dates_reading,
    max(reading) as reading
  from staged_mentions
  where campaign_id is not null
  group by workspace, campaign_id
) as batch
on known.workspace = batch.workspace
  and known.campaign_id = batch.campaign_id
when matched then update set
  name = case
    when batch.name_reading >= coalesce(known.name_reading, '') then batch.name
    else known.name
  end,
  name_reading = greatest(batch.name_reading, known.name_reading),
  start_date = case
    when batch.dates_reading >= coalesce(known.dates_reading, '') then batch.dates.start_date
    else known.start_date
  end,
  end_date = case
    when batch.dates_reading >= coalesce(known.dates_reading, '') then batch.dates.end_date
    else known.end_date
  end,
  dates_reading = greatest(batch.dates_reading, known.dates_reading),
  reading = greatest(batch.reading, known.reading)
when not matched then insert (
  workspace,
  campaign_id,
  name,
  start_date,
  end_date,
  name_reading,
  dates_reading,
  reading
) values (
  batch.workspace,
  batch.campaign_id,
  batch.name,
  batch.dates.start_date,
  batch.dates.end_date,
  batch.name_reading,
  batch.dates_reading,
  batch.reading
);
