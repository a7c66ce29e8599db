-- grain: a post and an answer that tells of it
-- key: workspace, post_id, reading
-- reads: staged_mentions, staged_fingerprints, post_readings
-- parameters: none
insert into post_readings
select workspace, post_id, reading, fetched_at, kind, fingerprint
from (
  select
    workspace,
    post_id,
    reading,
    fetched_at,
    kind,
    ordinal,
    case
      when kind = 'mentioned'
      then md5(
        to_json({
          'title': title,
          'labels': list_sort(list_transform(labels, lambda label: [label.label_id, label.name])),
          'campaign': [campaign_id, campaign_name]
        })::varchar
      )
    end as fingerprint
  from staged_mentions
) as batch
anti join post_readings as known using (workspace, post_id, reading)
qualify row_number() over (partition by workspace, post_id, reading order by ordinal desc) = 1;

insert into post_readings
select workspace, post_id, reading, fetched_at, 'mentioned' as kind, fingerprint
from staged_fingerprints;

-- Kept is what later questions rest on, whatever answers still come in whatever order: whether analytics
-- have said something new since the details were last asked for (each mention after that, and the last one
-- before), and since when the post is missing (each 404 after the details were last found).
create or replace temp table batch_post_history as
with touched as (
  select workspace, post_id
  from staged_mentions
  union
  select workspace, post_id
  from staged_fingerprints
),
asked as (
  select
    workspace,
    post_id,
    max(reading) filter (where kind in ('found', 'missing')) as last_asked,
    max(reading) filter (where kind = 'found') as last_found,
    max(fetched_at) filter (where kind in ('found', 'missing')) as detail_fetched_at
  from post_readings
  semi join touched using (workspace, post_id)
  group by workspace, post_id
)
select
  asked.*,
  max(post_readings.reading) filter (
    where post_readings.kind = 'mentioned' and post_readings.reading <= asked.last_asked
  ) as last_mentioned_before,
  min(post_readings.fetched_at) filter (
    where post_readings.kind = 'missing'
      and post_readings.reading > coalesce(asked.last_found, '')
  ) as missing_since
from asked
join post_readings using (workspace, post_id)
group by all;

delete from post_readings
using batch_post_history as history
where post_readings.workspace = history.workspace
  and post_readings.post_id = history.post_id
  and (
    (post_readings.kind = 'mentioned' and post_readings.reading < history.last_mentioned_before)
    or (post_readings.kind <> 'mentioned' and post_readings.reading < history.last_found)
  );

merge into posts as known
using batch_post_history as history
on known.workspace = history.workspace
  and known.post_id = history.post_id
when matched then update set
  detail_fetched_at = history.detail_fetched_at,
  missing_since = history.missing_since;
