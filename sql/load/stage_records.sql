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
    nullif(json_extract(record, pointer_to(linked_post_field)), 'null') as linked
  from staged_elements
),
linked_looked_up as (
  select
    *,
    json_type(linked) as linked_type,
    json_type(linked, ['/id', '/title', '/labels', '/campaign', '/campaign/id', '/campaign/name']) as linked_types,
    json_extract_string(linked, ['/id', '/title', '/campaign/id', '/campaign/name']) as linked_texts,
    coalesce(json_extract(linked, '$.labels[*]'), []) as linked_labels
  from looked_up
),
judged as (
  select
    *,
    list_filter(
      case
        when coalesce(json_type(record), 'NULL') <> 'OBJECT'
        then ['expected an object, got ' || shown(json_type(record), record ->> '$')]
        else [
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
          integer_problem('videoWatchTimeSeconds', types[17], texts[17]),
          case
            when linked is null then null
            when linked_type <> 'OBJECT'
            then linked_post_field || ': expected an object, got ' || shown(linked_type, linked ->> '$')
            else array_to_string(
              [
                required_text_problem(linked_post_field || '.id', linked_types[1], linked_texts[1]),
                text_problem(linked_post_field || '.title', linked_types[2], linked_texts[2]),
                case
                  when not is_absent(linked_types[3]) and linked_types[3] <> 'ARRAY'
                  then linked_post_field || '.labels: expected an array'
                  when len(
                    list_filter(
                      linked_labels,
                      lambda label: coalesce(json_type(label, '/labelId'), json_type(label, '/id'), '') <> 'VARCHAR'
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
              ],
              '; '
            )
          end
        ]
      end,
      lambda problem: problem is not null and problem <> ''
    ) as problems
  from linked_looked_up
)
select
  workspace,
  run_id,
  seq,
  reading,
  fetched_at,
  profile_id,
  position,
  row_number() over (order by reading, position, workspace) as ordinal,
  nullif(array_to_string(problems, '; '), '') as problem,
  case when len(problems) > 0 then coalesce(record::varchar, 'null') end as payload,
  texts[1] as linkedin_post_id,
  texts[2] as url,
  texts[3] as type,
  texts[4] as commentary,
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
      unknown_fields(
        record,
        [
          'id', 'url', 'type', 'commentary', 'publishedAt', 'engagement', 'emv',
          'likeCount', 'commentCount', 'shareCount', 'clickCount', 'saveCount', 'sendCount',
          'impressionCount', 'videoViewCount', 'videoViewerCount', 'videoWatchTimeSeconds',
          linked_post_field
        ]
      ),
      list_filter(
        [
          {
            'key': linked_post_field,
            'value': object_of(unknown_fields(linked, ['id', 'title', 'labels', 'campaign']))
          }
        ],
        lambda field: field.value is not null
      )
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
  position,
  'mentioned' as kind,
  post_id,
  title,
  labels,
  campaign_id,
  campaign_name
from staged_records
where problem is null
  and is_linked;
