-- grain: a loaded response of before the kept days, and whether anything in the tables rests on what it said
-- key: workspace, run_id, seq
-- reads: loaded_responses, linkedin_posts, linkedin_post_snapshots, post_readings, posts, labels, campaigns, rejected_records, run_parts
-- parameters: $keep_from (the first kept day), $timezone
with responses as (
  select
    workspace,
    run_id,
    seq,
    kind,
    fetched_at,
    posts_read,
    rejected,
    strftime(fetched_at, '%Y-%m-%dT%H:%M:%S.%fZ') || ' ' || run_id || ' ' || format('{:09d}', seq) as reading
  from loaded_responses
  where outcome <> 'failed'
    and timezone($timezone, fetched_at)::date < $keep_from::date
),
value_readings as (
  select
    workspace,
    unnest(
      [
        value_readings.like_count,
        value_readings.comment_count,
        value_readings.share_count,
        value_readings.click_count,
        value_readings.save_count,
        value_readings.send_count,
        value_readings.impression_count,
        value_readings.engagement,
        value_readings.emv,
        value_readings.video_view_count,
        value_readings.video_viewer_count,
        value_readings.video_watch_time_seconds,
        value_readings.post_id
      ]
    ) as reading
  from linkedin_posts
),
post_values as (
  select
    workspace,
    unnest(
      [
        title_reading,
        labels_reading,
        campaign_reading,
        detail_reading,
        state_reading,
        linkedin_reading,
        x_reading,
        linkedin_assets_reading,
        x_assets_reading
      ]
    ) as reading
  from posts
),
names as (
  select
    workspace,
    unnest([name_reading, color_reading, background_color_reading, reading]) as reading
  from labels
  union all
  select workspace, unnest([name_reading, dates_reading, reading]) as reading
  from campaigns
),
-- each answer that a value, a name, the last details of a post or the first copy of a bad record came from
needed_readings as (
  select workspace, reading
  from linkedin_posts
  union
  from value_readings
  union
  from post_values
  union
  from names
  union
  select workspace, reading
  from post_readings
  where kind = 'found'
  union
  select workspace, reading
  from rejected_records
  union
  select workspace, reading
  from linkedin_post_snapshots
  where captured_on >= $keep_from::date
),
-- no reading is noted of the first time that a post was seen: of answers at that very time all are needed
first_times as (
  select distinct workspace, first_seen_at as fetched_at
  from linkedin_posts
),
-- what analytics said of posts whose details were not read since is kept without the answer
mentions as (
  select workspace, reading, map_from_entries(list({'post_id': post_id, 'fingerprint': fingerprint} order by post_id)) as mentions
  from post_readings
  where kind = 'mentioned'
  group by workspace, reading
),
snapshots as (
  select workspace, reading, count(*) as snapshots
  from linkedin_post_snapshots
  group by workspace, reading
)
select
  responses.workspace,
  responses.run_id,
  strftime(run_parts.started_at, '%Y-%m-%d') as started_on,
  responses.seq,
  epoch_ms(responses.fetched_at) as fetched_at_ms,
  responses.posts_read,
  responses.rejected,
  coalesce(snapshots.snapshots, 0) as snapshots,
  to_json(mentions.mentions)::varchar as mentions,
  (
    needed_readings.reading is not null
    or (first_times.fetched_at is not null and responses.kind = 'analytics')
    -- an answer that could not be taken at all decides on the outcome of its window
    or (responses.rejected > 0 and responses.posts_read = 0)
  ) as is_needed
from responses
join run_parts using (run_id, workspace)
left join needed_readings using (workspace, reading)
left join first_times using (workspace, fetched_at)
left join mentions using (workspace, reading)
left join snapshots using (workspace, reading)
order by responses.workspace, run_parts.started_at, responses.run_id, responses.seq;
