-- grain: one removed post to which no LinkedIn post of the data belongs: a draft, or for other channels
-- key: workspace, post_id
-- reads: posts, linkedin_posts, campaigns, post_labels, labels
-- parameters: $workspaces, $profiles, $campaigns, $labels, $types
--
-- They have no figures and no time of publication, so a period does not part them. Nothing is known of their
-- profile and type either: a report on some of these has none.
create or replace temp table report_unlinked_removals as
with unlinked as (
  select posts.workspace, posts.post_id, posts.removed_at, posts.removed_by, campaigns.name as campaign
  from posts
  anti join linkedin_posts using (workspace, post_id)
  left join campaigns using (workspace, campaign_id)
  where posts.removed_at is not null
),
label_names as (
  select post_labels.workspace, post_labels.post_id, list(distinct labels.name) as names
  from post_labels
  join labels using (workspace, label_id)
  where labels.name is not null
  group by post_labels.workspace, post_labels.post_id
),
named as (
  select unlinked.*, coalesce(label_names.names, ['(none)']) as label_names
  from unlinked
  left join label_names using (workspace, post_id)
)
select workspace, post_id, removed_at, removed_by
from named
where len($profiles::varchar[]) = 0
  and len($types::varchar[]) = 0
  and (len($workspaces::varchar[]) = 0 or list_contains($workspaces::varchar[], workspace))
  and (
    len($campaigns::varchar[]) = 0
    or list_contains($campaigns::varchar[], coalesce(campaign, '(none)'))
  )
  and (len($labels::varchar[]) = 0 or list_has_any($labels::varchar[], label_names));
