-- grain: a post of the batch with something told of it that its row has not, nor anything told later
-- key: workspace, post_id, reading
-- reads: staged_mentions, posts, post_labels
-- parameters: none
with labelled as (
  select workspace, post_id, list(label_id order by label_id) as label_ids
  from post_labels
  semi join staged_mentions using (workspace, post_id)
  group by workspace, post_id
),
mentions as (
  select
    *,
    coalesce(list_sort(list_distinct(list_transform(labels, lambda label: label.label_id))), []) as label_ids,
    -- of two in one answer the last counts
    row_number() over (
      partition by workspace, post_id, reading, labels is null
      order by ordinal desc
    ) = 1 as is_last
  from staged_mentions
)
select mentions.workspace, mentions.post_id, mentions.reading, mentions.kind
from mentions
left join posts as known using (workspace, post_id)
left join labelled using (workspace, post_id)
where known.post_id is null
  or (mentions.title is not null and coalesce(known.title_reading < mentions.reading, true))
  or (mentions.labels is not null and coalesce(known.labels_reading < mentions.reading, true))
  or (
    mentions.labels is not null
    and mentions.is_last
    and known.labels_reading = mentions.reading
    and coalesce(labelled.label_ids, []) <> mentions.label_ids
  )
  or (
    (mentions.kind = 'mentioned' or mentions.campaign_id is not null)
    and coalesce(known.campaign_reading < mentions.reading, true)
  )
  or (mentions.kind = 'found' and coalesce(known.detail_reading < mentions.reading, true))
  or (
    mentions.kind in ('found', 'missing')
    and coalesce(known.detail_fetched_at < mentions.fetched_at, true)
  )
  or (mentions.kind = 'removed' and coalesce(known.removal_reading < mentions.reading, true))
order by all;
