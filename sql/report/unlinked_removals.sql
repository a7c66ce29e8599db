-- grain: one removed post without a LinkedIn post in the data: a draft, or a post for other channels
-- key: workspace, post_id
-- reads: posts, report_linked_posts, campaigns, post_label_names
-- parameters: $campaigns, $labels, $types
--
-- They have no figures and no time of publication, so the period does not filter them. Their profile and type are unknown
-- too: a report on some profiles of a workspace, or on some types, has none.
create or replace temp table report_unlinked_removals as
with unlinked as (
  select
    posts.workspace,
    posts.post_id,
    posts.removed_at,
    posts.removed_by,
    coalesce(campaigns.name, '(none)') as campaign,
    coalesce(post_label_names.names, ['(none)']) as labels
  from posts
  anti join report_linked_posts using (workspace, post_id)
  left join campaigns using (workspace, campaign_id)
  left join post_label_names using (workspace, post_id)
  where posts.removed_at is not null
)
select workspace, post_id, removed_at, removed_by
from unlinked
where len($types::varchar[]) = 0
  and (len($campaigns::varchar[]) = 0 or list_contains($campaigns::varchar[], campaign))
  and (len($labels::varchar[]) = 0 or list_has_any($labels::varchar[], labels));
