-- grain: a label that is new in this load or has a changed name or colour
-- key: workspace, label_id
-- reads: touched_labels, readings, post_details, webhook_events
-- parameters: none
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
