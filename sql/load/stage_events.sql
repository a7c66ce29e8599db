-- grain: an event of the batch, the copy that was received first
-- key: event_key
-- reads: webhook_events
-- parameters: $file, $longest_line
create or replace temp table staged_events as
with given as (
  select
    * replace (
      time_of(created_at) as created_at,
      -- no key vouches for this time: where a disk has garbled it, the event's own stands for it
      coalesce(try_cast(received_at as timestamptz), time_of(created_at)) as received_at
    )
  from read_json(
    $file,
    format = 'newline_delimited',
    maximum_object_size = $longest_line,
    columns = {
      'event_key': 'VARCHAR',
      'type': 'VARCHAR',
      'created_at': 'VARCHAR',
      'received_at': 'VARCHAR',
      'workspace_id': 'VARCHAR',
      'workspace_slug': 'VARCHAR',
      'workspace': 'VARCHAR',
      'payload': 'VARCHAR',
      'outcome': 'VARCHAR',
      'reason': 'VARCHAR',
      'is_foreign': 'BOOLEAN',
      'post': 'STRUCT(
        post_id VARCHAR, title VARCHAR, url VARCHAR, status VARCHAR, channels VARCHAR[],
        labels STRUCT(label_id VARCHAR, name VARCHAR, color VARCHAR, background_color VARCHAR)[],
        campaign STRUCT(
          campaign_id VARCHAR, name VARCHAR, dates STRUCT(start_date VARCHAR, end_date VARCHAR)
        ),
        removed_at VARCHAR, removed_by VARCHAR, linkedin VARCHAR, x VARCHAR, extra VARCHAR
      )',
      'invite': 'STRUCT(
        invite_id VARCHAR, email VARCHAR, created_at VARCHAR, invited_by VARCHAR,
        workspace_slug VARCHAR, sent_email BOOLEAN
      )'
    }
  )
)
select
  *,
  strftime(created_at, '%Y-%m-%dT%H:%M:%S.%fZ') || ' event ' || event_key as reading,
  strftime(received_at, '%Y-%m-%dT%H:%M:%S.%fZ') || ' ' || md5(payload) as copy_rank
from given;

-- Found among keys alone, so that no payload is sorted.
delete from staged_events
using (
  select rowid as copy_id
  from staged_events
  qualify row_number() over (partition by event_key order by copy_rank) > 1
) as later
where staged_events.rowid = later.copy_id;

-- An event stays with the workspace that it was applied to, whichever has its slug by now.
update staged_events
set workspace = known.workspace
from (
  select event_key, workspace
  from webhook_events
  where outcome = 'applied'
) as known
where staged_events.event_key = known.event_key;

insert into staged_mentions
select
  workspace,
  reading,
  created_at as fetched_at,
  row_number() over (order by reading) as ordinal,
  'removed' as kind,
  post.post_id,
  post.title,
  post.labels,
  post.campaign.campaign_id,
  post.campaign.name as campaign_name,
  case
    when post.campaign.dates is not null
    then {
      'start_date': try_cast(post.campaign.dates.start_date as date),
      'end_date': try_cast(post.campaign.dates.end_date as date)
    }
  end as campaign_dates
from staged_events
where post is not null;

insert into staged_details
select
  workspace,
  reading,
  row_number() over (order by reading) as ordinal,
  'removed' as kind,
  post.post_id,
  post.url,
  post.status,
  post.channels,
  null as publish_date,
  null as publish_at,
  null as created_at,
  null as updated_at,
  post.linkedin,
  post.x,
  case
    when json_type(post.linkedin::json, '$.assets') = 'ARRAY'
    then linkedin_assets_of(post.linkedin::json)
  end as linkedin_assets,
  case
    when list_contains(json_type(post.x::json, '$.tweets[*].assets'), 'ARRAY')
    then x_assets_of(post.x::json)
  end as x_assets,
  post.extra::json as extra,
  time_of(post.removed_at) as removed_at,
  post.removed_by
from staged_events
where post is not null;
