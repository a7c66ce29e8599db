-- grain: one post that has labels with a name
-- key: workspace, post_id
-- reads: post_labels, labels
create or replace view post_label_names as
select
  post_labels.workspace,
  post_labels.post_id,
  list(distinct labels.name order by labels.name) as names
from post_labels
join labels using (workspace, label_id)
where labels.name is not null
group by post_labels.workspace, post_labels.post_id;
