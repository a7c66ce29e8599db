-- grain: one metric of a post behind a cell, and the record of a response that gave its value
-- key: workspace, linkedin_post_id, metric
-- reads: emv_prices, explained_cell, metrics, readings
-- parameters: $figures
--
-- figures: the columns that the cell adds up. A metric is behind the columns that have its name; EMV by prices comes from what they price, engagements from
-- impressions. Where no metric is, as behind `posts`, the newest record is given.
-- A metric that is null there has its last known value.
with figures as (
  select '_' || unnest($figures::varchar[]) || '_' as name
),
named as (
  select metric, is_interaction, '_' || regexp_replace(metric, '^video_|_count$', '', 'g') || 's?_' as pattern
  from metrics
),
wanted as (
  select distinct metric
  from named
  join figures
    on regexp_matches(name, pattern)
    or (is_interaction and name = '_interactions_')
    or (metric = 'impression_count' and regexp_matches(name, '_engagements?_'))
),
known as (
  unpivot (
    select
      readings.workspace,
      readings.linkedin_post_id,
      any_value(posts.emv_source) as emv_source,
      max(readings.reading_id) as newest,
      max(readings.reading_id) filter (
        where columns('^(.*_(count|seconds)|engagement|emv)$') is not null
      ) as '\0'
    from readings
    join (select workspace, linkedin_post_id, emv_source, sources_until from explained_cell) as posts
      using (workspace, linkedin_post_id)
    where readings.fetched_at <= sources_until
    group by readings.workspace, readings.linkedin_post_id
  )
  on columns(* exclude (workspace, linkedin_post_id, emv_source))
  into name metric value reading_id
),
chosen as (
  select *
  from known
  where metric in (from wanted)
    or (
      metric in (select metric from metrics where price in (select unnest(map_keys(prices)) from emv_prices))
      and 'emv' in (from wanted)
      and emv_source <> 'api'
    )
  union all
  select *
  from known
  where metric = 'newest'
    and (workspace, linkedin_post_id) not in (
      select (workspace, linkedin_post_id) from known where metric in (from wanted) and reading_id is not null
    )
)
select
  chosen.workspace,
  chosen.linkedin_post_id,
  chosen.metric,
  readings.run_id,
  readings.seq,
  readings.reading_id % 2097152 as place,
  readings.fetched_at
from chosen
join readings using (workspace, linkedin_post_id, reading_id)
where not (chosen.metric = 'emv' and coalesce(emv_source, '') <> 'api')
order by chosen.workspace, chosen.linkedin_post_id, readings.reading_id desc, chosen.metric;
