-- grain: an element of an analytics answer, typed; `problem` is null for those that load
-- key: workspace, reading, position
-- reads: staged_elements
-- parameters: none
create or replace temp table staged_records as
with looked_up as (
  select
    *,
    json_type(
      record,
      [
        '/id', '/url', '/type', '/commentary', '/publishedAt', '/engagement', '/emv',
        '/likeCount', '/commentCount', '/shareCount', '/clickCount', '/saveCount', '/sendCount',
        '/impressionCount', '/videoViewCount', '/videoViewerCount', '/videoWatchTimeSeconds'
      ]
    ) as types,
    json_extract_string(
      record,
      [
        '/id', '/url', '/type', '/commentary', '/publishedAt', '/engagement', '/emv',
        '/likeCount', '/commentCount', '/shareCount', '/clickCount', '/saveCount', '/sendCount',
        '/impressionCount', '/videoViewCount', '/videoViewerCount', '/videoWatchTimeSeconds'
      ]
    ) as texts,
    nullif(json_extract(record, pointer_to(linked_post_field)), 'null') as linked_as_given
  from staged_elements
),
mended as (
  select
    * exclude (linked_as_given),
    case
      when has_repeated_keys(linked_as_given) then without_repeated_keys(linked_as_given)
      else linked_as_given
    end as linked
  from looked_up
),
typed as (
  select
    *,
    time_of(texts[5]) as published_at,
    double_of(types[6], texts[6]) as engagement,
    double_of(types[7], texts[7]) as emv,
    integer_of(types[8], texts[8]) as like_count,
    integer_of(types[9], texts[9]) as comment_count,
    integer_of(types[10], texts[10]) as share_count,
    integer_of(types[11], texts[11]) as click_count,
    integer_of(types[12], texts[12]) as save_count,
    integer_of(types[13], texts[13]) as send_count,
    integer_of(types[14], texts[14]) as impression_count,
    integer_of(types[15], texts[15]) as video_view_count,
    integer_of(types[16], texts[16]) as video_viewer_count,
    integer_of(types[17], texts[17]) as video_watch_time_seconds,
    json_type(linked) as linked_type,
    json_type(
      linked,
      ['/id', '/title', '/labels', '/campaign', '/campaign/id', '/campaign/name']
    ) as linked_types,
    json_extract_string(linked, ['/id', '/title', '/campaign/id', '/campaign/name']) as linked_texts,
    json_extract(linked, '$.labels[*]') as linked_labels
  from mended
),
judged as (
  select
    *,
    case
      when coalesce(json_type(record), 'NULL') <> 'OBJECT'
      then 'expected an object, got ' || shown(json_type(record), record ->> '$')
      -- words are found only for those few records that have a field with a type, but no value of it
      when types[1] = 'VARCHAR'
        and types[2] = 'VARCHAR'
        and types[3] = 'VARCHAR'
        and trim(texts[1]) <> ''
        and trim(texts[2]) <> ''
        and trim(texts[3]) <> ''
        and coalesce(types[4], 'NULL') in ('VARCHAR', 'NULL')
        and (published_at is not null or is_absent(types[5]))
        and (engagement is not null or is_absent(types[6]))
        and (emv is not null or is_absent(types[7]))
        and (like_count is not null or is_absent(types[8]))
        and (comment_count is not null or is_absent(types[9]))
        and (share_count is not null or is_absent(types[10]))
        and (click_count is not null or is_absent(types[11]))
        and (save_count is not null or is_absent(types[12]))
        and (send_count is not null or is_absent(types[13]))
        and (impression_count is not null or is_absent(types[14]))
        and (video_view_count is not null or is_absent(types[15]))
        and (video_viewer_count is not null or is_absent(types[16]))
        and (video_watch_time_seconds is not null or is_absent(types[17]))
        -- a text that reads like a number or a time is none
        and types[5] in ('VARCHAR', 'NULL') is not false
      then null
      else array_to_string(
        list_filter(
          [
            required_text_problem('id', types[1], texts[1]),
            required_text_problem('url', types[2], texts[2]),
            required_text_problem('type', types[3], texts[3]),
            text_problem('commentary', types[4], texts[4]),
            time_problem('publishedAt', types[5], texts[5]),
            number_problem('engagement', types[6], texts[6]),
            number_problem('emv', types[7], texts[7]),
            integer_problem('likeCount', types[8], texts[8]),
            integer_problem('commentCount', types[9], texts[9]),
            integer_problem('shareCount', types[10], texts[10]),
            integer_problem('clickCount', types[11], texts[11]),
            integer_problem('saveCount', types[12], texts[12]),
            integer_problem('sendCount', types[13], texts[13]),
            integer_problem('impressionCount', types[14], texts[14]),
            integer_problem('videoViewCount', types[15], texts[15]),
            integer_problem('videoViewerCount', types[16], texts[16]),
            integer_problem('videoWatchTimeSeconds', types[17], texts[17])
          ],
          lambda problem: problem is not null
        ),
        '; '
      )
    end as own_problem,
    case
      when linked is null then null
      when linked_type <> 'OBJECT'
      then linked_post_field || ': expected an object, got ' || shown(linked_type, linked ->> '$')
      else coalesce(
        required_text_problem(linked_post_field || '.id', linked_types[1], linked_texts[1]),
        text_problem(linked_post_field || '.title', linked_types[2], linked_texts[2]),
        case
          when not is_absent(linked_types[3]) and linked_types[3] <> 'ARRAY'
          then linked_post_field || '.labels: expected an array'
          when len(
            list_filter(
              linked_labels,
              lambda label:
                coalesce(json_type(label, '/labelId'), json_type(label, '/id'), '') <> 'VARCHAR'
                or coalesce(json_type(label, '/name'), 'NULL') not in ('VARCHAR', 'NULL')
            )
          ) > 0
          then linked_post_field || '.labels: expected objects with a labelId and a name'
        end,
        case
          when is_absent(linked_types[4]) then null
          when linked_types[4] <> 'OBJECT'
          then linked_post_field || '.campaign: expected an object'
          else coalesce(
            required_text_problem(
              linked_post_field || '.campaign.id', linked_types[5], linked_texts[3]
            ),
            text_problem(linked_post_field || '.campaign.name', linked_types[6], linked_texts[4])
          )
        end
      )
    end as linked_problem
  from typed
)
select
  workspace,
  run_id,
  seq,
  reading,
  fetched_at,
  profile_id,
  position,
  ordinal,
  coalesce(own_problem || '; ' || linked_problem, own_problem, linked_problem) as problem,
  case
    when own_problem is not null or linked_problem is not null
    then coalesce(record::varchar, 'null')
  end as payload,
  texts[1] as linkedin_post_id,
  texts[2] as url,
  texts[3] as type,
  texts[4] as commentary,
  published_at,
  engagement,
  emv,
  like_count,
  comment_count,
  share_count,
  click_count,
  save_count,
  send_count,
  impression_count,
  video_view_count,
  video_viewer_count,
  video_watch_time_seconds,
  linked is not null as is_linked,
  linked_texts[1] as post_id,
  linked_texts[2] as title,
  case
    when linked_types[3] = 'ARRAY'
    then list_transform(
      linked_labels,
      lambda label: {
        'label_id': coalesce(label ->> '/labelId', label ->> '/id'),
        'name': label ->> '/name',
        'color': null::varchar,
        'background_color': null::varchar
      }
    )
  end as labels,
  linked_texts[3] as campaign_id,
  linked_texts[4] as campaign_name,
  object_of(
    list_concat(
      -- most records have no other fields: then there are as many keys as known ones were found
      case
        when len(json_keys(record))
          > list_count(types) + (json_exists(record, pointer_to(linked_post_field)))::int
        then unknown_fields(
          record,
          [
            'id', 'url', 'type', 'commentary', 'publishedAt', 'engagement', 'emv',
            'likeCount', 'commentCount', 'shareCount', 'clickCount', 'saveCount', 'sendCount',
            'impressionCount', 'videoViewCount', 'videoViewerCount', 'videoWatchTimeSeconds',
            linked_post_field
          ]
        )
      end,
      case
        when object_of(unknown_fields(linked, ['id', 'title', 'labels', 'campaign'])) is not null
        then [
          {
            'key': linked_post_field,
            'value': object_of(unknown_fields(linked, ['id', 'title', 'labels', 'campaign']))
          }
        ]
      end
    )
  ) as extra
from judged;

insert into staged_rejects
select
  workspace,
  run_id,
  seq,
  reading,
  fetched_at,
  workspace || ' GET /analytics/linkedin/' || profile_id || '/posts' as source,
  problem as reason,
  payload
from staged_records
where problem is not null;

insert into staged_mentions
select
  workspace,
  reading,
  fetched_at,
  ordinal,
  'mentioned' as kind,
  post_id,
  title,
  labels,
  campaign_id,
  campaign_name,
  null as campaign_dates
from staged_records
where problem is null
  and is_linked;
