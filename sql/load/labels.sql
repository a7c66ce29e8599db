-- grain: a label of the batch, its name and colours as last given
-- key: workspace, label_id
-- reads: staged_mentions
-- parameters: none
merge into labels as known
using (
  select
    workspace,
    label.label_id as label_id,
    max_by(label.name, ordinal) as name,
    max(reading) filter (where label.name is not null) as name_reading,
    max_by(label.color, ordinal) as color,
    max(reading) filter (where label.color is not null) as color_reading,
    max_by(label.background_color, ordinal) as background_color,
    max(reading) filter (where label.background_color is not null) as background_color_reading,
    max(reading) as reading
  from (
    select
      workspace,
      reading,
      unnest(labels) as label,
      (ordinal, generate_subscripts(labels, 1)) as ordinal
    from staged_mentions
  )
  group by workspace, label.label_id
) as batch
on known.workspace = batch.workspace
  and known.label_id = batch.label_id
when matched then update set
  name = case
    when batch.name_reading >= coalesce(known.name_reading, '') then batch.name
    else known.name
  end,
  name_reading = greatest(batch.name_reading, known.name_reading),
  color = case
    when batch.color_reading >= coalesce(known.color_reading, '') then batch.color
    else known.color
  end,
  color_reading = greatest(batch.color_reading, known.color_reading),
  background_color = case
    when batch.background_color_reading >= coalesce(known.background_color_reading, '')
    then batch.background_color
    else known.background_color
  end,
  background_color_reading = greatest(
    batch.background_color_reading, known.background_color_reading
  ),
  reading = greatest(batch.reading, known.reading)
when not matched then insert (
  workspace,
  label_id,
  name,
  name_reading,
  color,
  color_reading,
  background_color,
  background_color_reading,
  reading
) values (
  batch.workspace,
  batch.label_id,
  batch.name,
  batch.name_reading,
  batch.color,
  batch.color_reading,
  batch.background_color,
  batch.background_color_reading,
  batch.reading
);
