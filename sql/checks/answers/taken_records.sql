-- grain: a record of the batch that is not in the tables as it was read, nor replaced by a later reading
-- key: workspace, run_id, seq, linkedin_post_id
-- reads: staged_records, linkedin_posts, linkedin_post_snapshots
-- parameters: $timezone
with records as (
  -- of a post that stands twice in an answer the last record counts
  select *, timezone($timezone, fetched_at)::date as captured_on
  from staged_records
  where problem is null
  qualify row_number() over (
    partition by workspace, linkedin_post_id, reading
    order by position desc
  ) = 1
)
select records.workspace, records.run_id, records.seq, records.linkedin_post_id
from records
left join linkedin_posts as known using (workspace, linkedin_post_id)
left join linkedin_post_snapshots as snapshots using (workspace, linkedin_post_id, captured_on)
where known.reading is null
  or known.reading < records.reading
  or snapshots.reading is null
  or snapshots.reading < records.reading
  or (
    known.reading = records.reading
    and (known.profile_id, known.url, known.type, known.commentary, known.published_at, known.extra)
      is distinct from
      (records.profile_id, records.url, records.type, records.commentary, records.published_at, records.extra)
  )
  or (
    snapshots.reading = records.reading
    and (
      snapshots.captured_at,
      snapshots.like_count,
      snapshots.comment_count,
      snapshots.share_count,
      snapshots.click_count,
      snapshots.save_count,
      snapshots.send_count,
      snapshots.impression_count,
      snapshots.engagement,
      snapshots.emv,
      snapshots.video_view_count,
      snapshots.video_viewer_count,
      snapshots.video_watch_time_seconds
    ) is distinct from (
      records.fetched_at,
      records.like_count,
      records.comment_count,
      records.share_count,
      records.click_count,
      records.save_count,
      records.send_count,
      records.impression_count,
      records.engagement,
      records.emv,
      records.video_view_count,
      records.video_viewer_count,
      records.video_watch_time_seconds
    )
  )
  or (
    records.like_count is not null
    and (
      known.like_count is null
      or coalesce(known.value_readings.like_count, known.reading) < records.reading
      or (known.like_count <> records.like_count and coalesce(known.value_readings.like_count, known.reading) = records.reading)
    )
  )
  or (
    records.comment_count is not null
    and (
      known.comment_count is null
      or coalesce(known.value_readings.comment_count, known.reading) < records.reading
      or (known.comment_count <> records.comment_count and coalesce(known.value_readings.comment_count, known.reading) = records.reading)
    )
  )
  or (
    records.share_count is not null
    and (
      known.share_count is null
      or coalesce(known.value_readings.share_count, known.reading) < records.reading
      or (known.share_count <> records.share_count and coalesce(known.value_readings.share_count, known.reading) = records.reading)
    )
  )
  or (
    records.click_count is not null
    and (
      known.click_count is null
      or coalesce(known.value_readings.click_count, known.reading) < records.reading
      or (known.click_count <> records.click_count and coalesce(known.value_readings.click_count, known.reading) = records.reading)
    )
  )
  or (
    records.save_count is not null
    and (
      known.save_count is null
      or coalesce(known.value_readings.save_count, known.reading) < records.reading
      or (known.save_count <> records.save_count and coalesce(known.value_readings.save_count, known.reading) = records.reading)
    )
  )
  or (
    records.send_count is not null
    and (
      known.send_count is null
      or coalesce(known.value_readings.send_count, known.reading) < records.reading
      or (known.send_count <> records.send_count and coalesce(known.value_readings.send_count, known.reading) = records.reading)
    )
  )
  or (
    records.impression_count is not null
    and (
      known.impression_count is null
      or coalesce(known.value_readings.impression_count, known.reading) < records.reading
      or (known.impression_count <> records.impression_count and coalesce(known.value_readings.impression_count, known.reading) = records.reading)
    )
  )
  or (
    records.engagement is not null
    and (
      known.engagement is null
      or coalesce(known.value_readings.engagement, known.reading) < records.reading
      or (known.engagement <> records.engagement and coalesce(known.value_readings.engagement, known.reading) = records.reading)
    )
  )
  or (
    records.emv is not null
    and (
      known.emv is null
      or coalesce(known.value_readings.emv, known.reading) < records.reading
      or (known.emv <> records.emv and coalesce(known.value_readings.emv, known.reading) = records.reading)
    )
  )
  or (
    records.video_view_count is not null
    and (
      known.video_view_count is null
      or coalesce(known.value_readings.video_view_count, known.reading) < records.reading
      or (known.video_view_count <> records.video_view_count and coalesce(known.value_readings.video_view_count, known.reading) = records.reading)
    )
  )
  or (
    records.video_viewer_count is not null
    and (
      known.video_viewer_count is null
      or coalesce(known.value_readings.video_viewer_count, known.reading) < records.reading
      or (known.video_viewer_count <> records.video_viewer_count and coalesce(known.value_readings.video_viewer_count, known.reading) = records.reading)
    )
  )
  or (
    records.video_watch_time_seconds is not null
    and (
      known.video_watch_time_seconds is null
      or coalesce(known.value_readings.video_watch_time_seconds, known.reading) < records.reading
      or (known.video_watch_time_seconds <> records.video_watch_time_seconds and coalesce(known.value_readings.video_watch_time_seconds, known.reading) = records.reading)
    )
  )
  or (
    records.post_id is not null
    and (
      known.post_id is null
      or coalesce(known.value_readings.post_id, known.reading) < records.reading
      or (known.post_id <> records.post_id and coalesce(known.value_readings.post_id, known.reading) = records.reading)
    )
  )
order by all;
