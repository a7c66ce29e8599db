-- grain: a post of the batch; each value from the last answer that gave it
-- key: workspace, post_id
-- reads: staged_mentions, staged_details, posts, post_labels, assets
-- parameters: none
create or replace temp table batch_posts as
select
  workspace,
  post_id,
  max_by(title, ordinal) as title,
  max(reading) filter (where title is not null) as title_reading,
  max_by(labels, ordinal) as labels,
  max(reading) filter (where labels is not null) as labels_reading,
  -- only analytics tell of campaigns, and a null there says that there is none
  max_by({'is': campaign_id}, ordinal) filter (where kind = 'mentioned') as campaign_id,
  max(reading) filter (where kind = 'mentioned') as campaign_reading,
  max(reading) filter (where kind = 'found') as detail_reading
from staged_mentions
group by workspace, post_id;

create or replace temp table batch_labels_won as
select batch.workspace, batch.post_id, batch.labels
from batch_posts as batch
left join posts as known using (workspace, post_id)
where batch.labels_reading > coalesce(known.labels_reading, '');

delete from post_labels
using batch_labels_won as batch
where post_labels.workspace = batch.workspace
  and post_labels.post_id = batch.post_id;

insert into post_labels
select distinct workspace, post_id, label.label_id
from (select workspace, post_id, unnest(labels) as label from batch_labels_won);

create or replace temp table batch_details_won as
select details.*
from staged_details as details
join batch_posts as batch
  on details.workspace = batch.workspace
  and details.post_id = batch.post_id
  and details.reading = batch.detail_reading
left join posts as known
  on known.workspace = batch.workspace
  and known.post_id = batch.post_id
where batch.detail_reading > coalesce(known.detail_reading, '');

delete from assets
using batch_details_won as batch
where assets.workspace = batch.workspace
  and assets.post_id = batch.post_id;

-- An asset that a post has in two channels is one row, that of the first.
insert into assets
select
  workspace,
  asset.asset_id,
  post_id,
  asset.channel,
  asset.name,
  asset.url,
  asset.mimetype,
  asset.size,
  asset.width,
  asset.height,
  asset.duration
from (
  select workspace, post_id, unnest(assets) as asset, generate_subscripts(assets, 1) as place
  from batch_details_won
)
qualify row_number() over (partition by workspace, post_id, asset.asset_id order by place) = 1;

merge into posts as known
using (
  select
    batch.*,
    won.url,
    won.status,
    won.channels,
    won.publish_date,
    won.publish_at,
    won.created_at,
    won.updated_at,
    won.content,
    won.extra,
    won.reading as won_reading
  from batch_posts as batch
  left join batch_details_won as won using (workspace, post_id)
) as batch
on known.workspace = batch.workspace
  and known.post_id = batch.post_id
when matched then update set
  title = case
    when batch.title_reading > coalesce(known.title_reading, '') then batch.title
    else known.title
  end,
  title_reading = greatest(batch.title_reading, known.title_reading),
  labels_reading = greatest(batch.labels_reading, known.labels_reading),
  campaign_id = case
    when batch.campaign_reading > coalesce(known.campaign_reading, '') then batch.campaign_id.is
    else known.campaign_id
  end,
  campaign_reading = greatest(batch.campaign_reading, known.campaign_reading),
  url = case when batch.won_reading is not null then batch.url else known.url end,
  status = case when batch.won_reading is not null then batch.status else known.status end,
  channels = case when batch.won_reading is not null then batch.channels else known.channels end,
  publish_date = case
    when batch.won_reading is not null then batch.publish_date
    else known.publish_date
  end,
  publish_at = case when batch.won_reading is not null then batch.publish_at else known.publish_at end,
  created_at = case when batch.won_reading is not null then batch.created_at else known.created_at end,
  updated_at = case when batch.won_reading is not null then batch.updated_at else known.updated_at end,
  content = case when batch.won_reading is not null then batch.content else known.content end,
  extra = case when batch.won_reading is not null then batch.extra else known.extra end,
  detail_reading = greatest(batch.won_reading, known.detail_reading)
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
  publish_date,
  publish_at,
  created_at,
  updated_at,
  content,
  extra,
  detail_reading
) values (
  batch.workspace,
  batch.post_id,
  batch.title,
  batch.title_reading,
  batch.labels_reading,
  batch.campaign_id.is,
  batch.campaign_reading,
  batch.url,
  batch.status,
  batch.channels,
  batch.publish_date,
  batch.publish_at,
  batch.created_at,
  batch.updated_at,
  batch.content,
  batch.extra,
  batch.won_reading
);
