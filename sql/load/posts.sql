-- grain: a post of the workspace that the load touches; each value comes from the newest source that gives it
-- key: workspace, post_id
-- reads: touched_details, readings, post_details, webhook_events
-- parameters: none
create or replace temp table mentions as
select
  workspace,
  post_id,
  reading_id,
  fetched_at,
  'mentioned' as kind,
  title,
  labels,
  campaign_id,
  campaign_name,
  unreadable
from readings
semi join touched_details as touched
  on touched.workspace = readings.workspace
  and touched.post_id = second_key(readings.post_id)
union all by name
select * exclude (run_id, seq)
from post_details
semi join touched_details as touched
  on touched.workspace = post_details.workspace
  and touched.post_id = second_key(post_details.post_id)
union all by name
select
  workspace,
  post.post_id as post_id,
  reading_id,
  created_at as fetched_at,
  'removed' as kind,
  post.title as title,
  post.labels as labels,
  post.campaign.campaign_id as campaign_id,
  post.url as url,
  post.status as status,
  post.channels as channels,
  post.linkedin::json as linkedin,
  post.x::json as x,
  post.extra::json as extra,
  time_of(post.removed_at) as removed_at,
  post.removed_by as removed_by
from webhook_events
semi join touched_details
  on touched_details.workspace = webhook_events.workspace
  and touched_details.post_id = webhook_events.post.post_id
where outcome = 'applied';

-- The posts whose details were read, with a flag for changes in the analytics since then.
create or replace temp table asked_posts as
with asked as (
  select
    workspace,
    post_id,
    max(reading_id) as asked_id,
    max(reading_id) filter (where kind = 'found') as found_id
  from mentions
  where kind in ('found', 'missing')
  group by workspace, post_id
),
contents as (
  select
    workspace,
    post_id,
    reading_id,
    {
      'title': title,
      'labels': list_sort(list_transform(labels, lambda label: [label.label_id, label.name])),
      'campaign': [campaign_id, campaign_name]
    } as content
  from mentions
  -- what could not be read is no other content
  where kind = 'mentioned' and not list_has_any(coalesce(unreadable, []), ['title', 'labels', 'campaign_id'])
)
select
  asked.workspace,
  asked.post_id,
  any_value(asked.found_id) as found_id,
  max_by(contents.content, contents.reading_id) is distinct from
    max_by(contents.content, contents.reading_id) filter (where contents.reading_id <= asked.asked_id) as has_changed
from asked
left join contents using (workspace, post_id)
group by asked.workspace, asked.post_id;

create or replace temp table derived_details as
select
  workspace,
  post_id,
  max_by(title, reading_id) as title,
  max_by(labels, reading_id) as labels,
  -- in analytics a null means that there is no campaign; elsewhere it means that nothing is known
  max_by({'is': campaign_id}, reading_id) filter (
    where (kind = 'mentioned' and not list_contains(coalesce(unreadable, []), 'campaign_id')) or campaign_id is not null
  ).is as campaign_id,
  -- details without a value mean that there is none; an event may omit it
  max_by({'is': url}, reading_id) filter (where kind = 'found' or (kind = 'removed' and url is not null)).is as url,
  max_by({'is': status}, reading_id) filter (
    where kind = 'found' or (kind = 'removed' and status is not null)
  ).is as status,
  max_by({'is': channels}, reading_id) filter (
    where kind = 'found' or (kind = 'removed' and channels is not null)
  ).is as channels,
  max_by(
    {
      'publish_date': publish_date, 'publish_at': publish_at,
      'created_at': created_at, 'updated_at': updated_at, 'extra': extra
    },
    reading_id
  ) filter (where kind = 'found') as details,
  max_by({'is': linkedin}, reading_id) filter (where kind = 'found' or linkedin is not null).is as linkedin,
  max_by({'is': x}, reading_id) filter (where kind = 'found' or x is not null).is as x,
  max_by({'of': json_extract(linkedin, '$.assets[*]')}, reading_id) filter (
    where kind = 'found' or json_type(linkedin, '$.assets') = 'ARRAY'
  ).of as linkedin_assets,
  max_by({'of': json_extract(x, '$.tweets[*].assets[*]')}, reading_id) filter (
    where kind = 'found' or list_contains(json_type(x, '$.tweets[*].assets'), 'ARRAY')
  ).of as x_assets,
  max_by({'at': removed_at, 'by': removed_by, 'extra': extra}, reading_id) filter (
    where kind = 'removed'
  ) as removal,
  max(fetched_at) filter (where kind in ('found', 'missing')) as detail_fetched_at,
  min(fetched_at) filter (
    where kind = 'missing' and reading_id > coalesce(found_id, 0)
  ) as missing_since,
  coalesce(any_value(has_changed), false) as has_changed
from mentions
left join asked_posts using (workspace, post_id)
group by workspace, post_id;

delete from posts
using touched_details as touched
where posts.workspace = touched.workspace
  and posts.post_id = touched.post_id;

insert into posts by name
select
  workspace,
  post_id,
  title,
  url,
  status,
  channels,
  details.publish_date as publish_date,
  details.publish_at as publish_at,
  details.created_at as created_at,
  details.updated_at as updated_at,
  campaign_id,
  case
    when linkedin is not null and x is not null then '{"linkedIn":' || linkedin || ',"x":' || x || '}'
    when linkedin is not null then '{"linkedIn":' || linkedin || '}'
    when x is not null then '{"x":' || x || '}'
  end as content,
  detail_fetched_at,
  missing_since,
  removal.at as removed_at,
  removal.by as removed_by,
  -- other fields come from the details, and from a removal only if there are no details
  case when details is null then removal.extra else details.extra end as extra,
  has_changed
from derived_details;

delete from post_labels
using touched_details as touched
where post_labels.workspace = touched.workspace
  and post_labels.post_id = touched.post_id;

insert into post_labels
select distinct workspace, post_id, label.label_id
from (
  select workspace, post_id, unnest(labels) as label
  from derived_details
);

delete from assets
using touched_details as touched
where assets.workspace = touched.workspace
  and assets.post_id = touched.post_id;

-- An asset that appears several times in a channel of a post is one row, the first of them.
insert into assets by name
with given as (
  select workspace, post_id, 'LinkedIn' as channel, unnest(assets_of(linkedin_assets)) as asset
  from derived_details
  union all
  select workspace, post_id, 'Twitter' as channel, unnest(assets_of(x_assets)) as asset
  from derived_details
)
select workspace, post_id, channel, asset.*
from given
qualify row_number() over (
  partition by workspace, post_id, channel, asset.asset_id
) = 1;
