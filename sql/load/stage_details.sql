-- grain: an answer about a post's details, found or missing
-- key: workspace, reading
-- reads: staged_responses
-- parameters: $details (a JSON array)
create or replace temp table staged_post_answers as
select
  staged_responses.workspace,
  staged_responses.reading,
  staged_responses.fetched_at,
  staged_responses.first_ordinal as ordinal,
  detail.kind,
  detail.post_id,
  detail.title,
  detail.url,
  detail.status,
  detail.channels,
  detail.publish_date::date as publish_date,
  time_of(detail.publish_at) as publish_at,
  time_of(detail.created_at) as created_at,
  time_of(detail.updated_at) as updated_at,
  detail.labels,
  detail.linkedin,
  detail.x,
  coalesce(linkedin_assets_of(detail.linkedin::json), []) as linkedin_assets,
  coalesce(x_assets_of(detail.x::json), []) as x_assets,
  detail.extra::json as extra
from (
  select unnest(
    from_json(
      $details::json,
      '[{
        "workspace": "VARCHAR", "run_id": "VARCHAR", "seq": "BIGINT",
        "kind": "VARCHAR", "post_id": "VARCHAR", "title": "VARCHAR", "url": "VARCHAR",
        "status": "VARCHAR", "channels": ["VARCHAR"], "publish_date": "VARCHAR",
        "publish_at": "VARCHAR", "created_at": "VARCHAR", "updated_at": "VARCHAR",
        "labels": [{
          "label_id": "VARCHAR", "name": "VARCHAR", "color": "VARCHAR", "background_color": "VARCHAR"
        }],
        "linkedin": "VARCHAR",
        "x": "VARCHAR",
        "extra": "VARCHAR"
      }]'
    )
  ) as detail
)
join staged_responses
  on staged_responses.workspace = detail.workspace
  and staged_responses.run_id = detail.run_id
  and staged_responses.seq = detail.seq;

insert into staged_mentions
select
  workspace,
  reading,
  fetched_at,
  ordinal,
  kind,
  post_id,
  title,
  labels,
  null as campaign_id,
  null as campaign_name,
  null as campaign_dates
from staged_post_answers;

insert into staged_details
select
  workspace,
  reading,
  ordinal,
  kind,
  post_id,
  url,
  status,
  channels,
  publish_date,
  publish_at,
  created_at,
  updated_at,
  linkedin,
  x,
  linkedin_assets,
  x_assets,
  extra,
  null as removed_at,
  null as removed_by
from staged_post_answers
where kind = 'found';
