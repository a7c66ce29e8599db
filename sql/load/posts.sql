-- grain: a post of the batch; each value from the last answer or event that gave it
-- key: workspace, post_id
-- reads: staged_mentions, staged_details, posts, post_labels, assets
-- parameters: none
create or replace temp table batch_posts as
with mentioned as (
  select
    workspace,
    post_id,
    max_by(title, ordinal) as title,
    max(reading) filter (where title is not null) as title_reading,
    max_by(labels, ordinal) as labels,
    max(reading) filter (where labels is not null) as labels_reading,
    -- a null says that there is no campaign in analytics, and nothing elsewhere
    max_by({'is': campaign_id}, ordinal) filter (
      where kind = 'mentioned' or campaign_id is not null
    ) as campaign_id,
    max(reading) filter (
      where kind = 'mentioned' or campaign_id is not null
    ) as campaign_reading
  from staged_mentions
  group by workspace, post_id
),
detailed as (
  select
    workspace,
    post_id,
    max_by(
      {
        'publish_date': publish_date,
        'publish_at': publish_at,
        'created_at': created_at,
        'updated_at': updated_at,
        'extra': extra
      },
      ordinal
    ) filter (where kind = 'found') as details,
    max(reading) filter (where kind = 'found') as detail_reading,
    max_by({'url': url, 'status': status, 'channels': channels}, ordinal) as state,
    max(reading) as state_reading,
    max_by({'is': linkedin}, ordinal) filter (
      where kind = 'found' or linkedin is not null
    ) as linkedin,
    max(reading) filter (where kind = 'found' or linkedin is not null) as linkedin_reading,
    max_by({'is': x}, ordinal) filter (where kind = 'found' or x is not null) as x,
    max(reading) filter (where kind = 'found' or x is not null) as x_reading,
    max_by(linkedin_assets, ordinal) filter (
      where linkedin_assets is not null
    ) as linkedin_assets,
    max(reading) filter (where linkedin_assets is not null) as linkedin_assets_reading,
    max_by(x_assets, ordinal) filter (where x_assets is not null) as x_assets,
    max(reading) filter (where x_assets is not null) as x_assets_reading,
    max_by(
      {'removed_at': removed_at, 'removed_by': removed_by, 'extra': extra},
      ordinal
    ) filter (where kind = 'removed') as removal,
    max(reading) filter (where kind = 'removed') as removal_reading
  from staged_details
  group by workspace, post_id
)
-- every post that details or events tell of is mentioned too
select mentioned.*, detailed.* exclude (workspace, post_id)
from mentioned
left join detailed using (workspace, post_id);

create or replace temp table batch_labels_won as
select batch.workspace, batch.post_id, batch.labels
from batch_posts as batch
left join posts as known using (workspace, post_id)
where batch.labels_reading >= coalesce(known.labels_reading, '');

delete from post_labels
using batch_labels_won as batch
where post_labels.workspace = batch.workspace
  and post_labels.post_id = batch.post_id;

insert into post_labels
select distinct workspace, post_id, label.label_id
from (select workspace, post_id, unnest(labels) as label from batch_labels_won);

create or replace temp table batch_assets_won as
select batch.workspace, batch.post_id, 'LinkedIn' as channel, batch.linkedin_assets as assets
from batch_posts as batch
left join posts as known using (workspace, post_id)
where batch.linkedin_assets_reading >= coalesce(known.linkedin_assets_reading, '')
union all
select batch.workspace, batch.post_id, 'Twitter' as channel, batch.x_assets as assets
from batch_posts as batch
left join posts as known using (workspace, post_id)
where batch.x_assets_reading >= coalesce(known.x_assets_reading, '');

delete from assets
using batch_assets_won as batch
where assets.workspace = batch.workspace
  and assets.post_id = batch.post_id
  and assets.channel = batch.channel;

-- An asset that a post has repeatedly in a channel is one row, that of the first.
insert into assets
select
  workspace,
  asset.asset_id,
  post_id,
  channel,
  asset.name,
  asset.url,
  asset.mimetype,
  asset.size,
  asset.width,
  asset.height,
  asset.duration
from (
  select
    workspace,
    post_id,
    channel,
    unnest(assets) as asset,
    generate_subscripts(assets, 1) as place
  from batch_assets_won
)
qualify row_number() over (
  partition by workspace, post_id, channel, asset.asset_id
  order by place
) = 1;

merge into posts as known
using batch_posts as batch
on known.workspace = batch.workspace
  and known.post_id = batch.post_id
when matched then update set
  title = case
    when batch.title_reading >= coalesce(known.title_reading, '') then batch.title
    else known.title
  end,
  title_reading = greatest(batch.title_reading, known.title_reading),
  labels_reading = greatest(batch.labels_reading, known.labels_reading),
  campaign_id = case
    when batch.campaign_reading >= coalesce(known.campaign_reading, '') then batch.campaign_id.is
    else known.campaign_id
  end,
  campaign_reading = greatest(batch.campaign_reading, known.campaign_reading),
  url = case
    when batch.state_reading >= coalesce(known.state_reading, '') then batch.state.url
    else known.url
  end,
  status = case
    when batch.state_reading >= coalesce(known.state_reading, '') then batch.state.status
    else known.status
  end,
  channels = case
    when batch.state_reading >= coalesce(known.state_reading, '') then batch.state.channels
    else known.channels
  end,
  state_reading = greatest(batch.state_reading, known.state_reading),
  publish_date = case
    when batch.detail_reading >= coalesce(known.detail_reading, '') then batch.details.publish_date
    else known.publish_date
  end,
  publish_at = case
    when batch.detail_reading >= coalesce(known.detail_reading, '') then batch.details.publish_at
    else known.publish_at
  end,
  created_at = case
    when batch.detail_reading >= coalesce(known.detail_reading, '') then batch.details.created_at
    else known.created_at
  end,
  updated_at = case
    when batch.detail_reading >= coalesce(known.detail_reading, '') then batch.details.updated_at
    else known.updated_at
  end,
  content = content_of(
    case
      when batch.linkedin_reading >= coalesce(known.linkedin_reading, '') then batch.linkedin.is
      else linkedin_of(known.content)
    end,
    case
      when batch.x_reading >= coalesce(known.x_reading, '') then batch.x.is
      else x_of(known.content)
    end
  ),
  linkedin_reading = greatest(batch.linkedin_reading, known.linkedin_reading),
  x_reading = greatest(batch.x_reading, known.x_reading),
  linkedin_assets_reading = greatest(
    batch.linkedin_assets_reading, known.linkedin_assets_reading
  ),
  x_assets_reading = greatest(batch.x_assets_reading, known.x_assets_reading),
  -- that of the details, and of a removal only while there are none
  extra = case
    when batch.detail_reading >= coalesce(known.detail_reading, '') then batch.details.extra
    when known.detail_reading is null
      and batch.removal_reading >= coalesce(known.removal_reading, '')
    then batch.removal.extra
    else known.extra
  end,
  detail_reading = greatest(batch.detail_reading, known.detail_reading),
  removed_at = case
    when batch.removal_reading >= coalesce(known.removal_reading, '') then batch.removal.removed_at
    else known.removed_at
  end,
  removed_by = case
    when batch.removal_reading >= coalesce(known.removal_reading, '') then batch.removal.removed_by
    else known.removed_by
  end,
  removal_reading = greatest(batch.removal_reading, known.removal_reading)
when not matched then insert (
  workspace,
  post_id,
  title,
  title_reading,
  labels_reading,
  campaign_id,
  campaign_reading,
  url,
  status,
  channels,
  state_reading,
  publish_date,
  publish_at,
  created_at,
  updated_at,
  content,
  linkedin_reading,
  x_reading,
  linkedin_assets_reading,
  x_assets_reading,
  extra,
  detail_reading,
  removed_at,
  removed_by,
  removal_reading
) values (
  batch.workspace,
  batch.post_id,
  batch.title,
  batch.title_reading,
  batch.labels_reading,
  batch.campaign_id.is,
  batch.campaign_reading,
  batch.state.url,
  batch.state.status,
  batch.state.channels,
  batch.state_reading,
  batch.details.publish_date,
  batch.details.publish_at,
  batch.details.created_at,
  batch.details.updated_at,
  content_of(batch.linkedin.is, batch.x.is),
  batch.linkedin_reading,
  batch.x_reading,
  batch.linkedin_assets_reading,
  batch.x_assets_reading,
  case when batch.detail_reading is null then batch.removal.extra else batch.details.extra end,
  batch.detail_reading,
  batch.removal.removed_at,
  batch.removal.removed_by,
  batch.removal_reading
);
