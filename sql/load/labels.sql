-- grain: a label that is new in this load or has a changed name or colour
-- key: workspace, label_id
-- reads: new_responses, touched_events, readings, post_details, webhook_events, labels
-- parameters: $all (after a change of slugs: every label)
create or replace temp table touched_labels as
with given as (
  select workspace, unnest(labels) as label
  from readings
  semi join new_responses using (workspace, run_id, seq)
  union all
  select workspace, unnest(labels) as label
  from post_details
  semi join new_responses using (workspace, run_id, seq)
  union all
  select workspace, unnest(post.labels) as label
  from webhook_events
  semi join touched_events using (event_key)
  where outcome = 'applied'
)
select distinct given.workspace, given.label.label_id as label_id
from given
left join labels as known
  on known.workspace = given.workspace
  and known.label_id = given.label.label_id
where known.label_id is null
  or given.label.name <> coalesce(known.name, '')
  or given.label.color <> coalesce(known.color, '')
  or given.label.background_color <> coalesce(known.background_color, '')
union
select workspace, label_id
from labels
where $all;

delete from labels
using touched_labels as touched
where labels.workspace = touched.workspace
  and labels.label_id = touched.label_id;

insert into labels by name
with mentioned as (
  select workspace, reading_id, unnest(labels) as label
  from readings
  where workspace in (select workspace from touched_labels)
  union all
  select workspace, reading_id, unnest(labels) as label
  from post_details
  where workspace in (select workspace from touched_labels)
  union all
  select workspace, reading_id, unnest(post.labels) as label
  from webhook_events
  where workspace in (select workspace from touched_labels)
    and outcome = 'applied'
)
select
  workspace,
  label.label_id as label_id,
  max_by(label.name, reading_id) as name,
  max_by(label.color, reading_id) as color,
  max_by(label.background_color, reading_id) as background_color
from mentioned
semi join touched_labels
  on touched_labels.workspace = mentioned.workspace
  and touched_labels.label_id = mentioned.label.label_id
group by workspace, label.label_id;
