-- grain: a snapshot with a value that its post has neither kept nor replaced by a later one
-- key: workspace, linkedin_post_id, captured_on
-- reads: linkedin_post_snapshots, linkedin_posts
-- parameters: none
select snapshots.workspace, snapshots.linkedin_post_id, snapshots.captured_on
from linkedin_post_snapshots as snapshots
join linkedin_posts as known using (workspace, linkedin_post_id)
where snapshots.reading > known.reading
  or (
    snapshots.like_count is not null
    and (
      known.like_count is null
      or snapshots.reading > coalesce(known.value_readings.like_count, known.reading)
      or (snapshots.like_count <> known.like_count and snapshots.reading = coalesce(known.value_readings.like_count, known.reading))
    )
  )
  or (
    snapshots.comment_count is not null
    and (
      known.comment_count is null
      or snapshots.reading > coalesce(known.value_readings.comment_count, known.reading)
      or (snapshots.comment_count <> known.comment_count and snapshots.reading = coalesce(known.value_readings.comment_count, known.reading))
    )
  )
  or (
    snapshots.share_count is not null
    and (
      known.share_count is null
      or snapshots.reading > coalesce(known.value_readings.share_count, known.reading)
      or (snapshots.share_count <> known.share_count and snapshots.reading = coalesce(known.value_readings.share_count, known.reading))
    )
  )
  or (
    snapshots.click_count is not null
    and (
      known.click_count is null
      or snapshots.reading > coalesce(known.value_readings.click_count, known.reading)
      or (snapshots.click_count <> known.click_count and snapshots.reading = coalesce(known.value_readings.click_count, known.reading))
    )
  )
  or (
    snapshots.save_count is not null
    and (
      known.save_count is null
      or snapshots.reading > coalesce(known.value_readings.save_count, known.reading)
      or (snapshots.save_count <> known.save_count and snapshots.reading = coalesce(known.value_readings.save_count, known.reading))
    )
  )
  or (
    snapshots.send_count is not null
    and (
      known.send_count is null
      or snapshots.reading > coalesce(known.value_readings.send_count, known.reading)
      or (snapshots.send_count <> known.send_count and snapshots.reading = coalesce(known.value_readings.send_count, known.reading))
    )
  )
  or (
    snapshots.impression_count is not null
    and (
      known.impression_count is null
      or snapshots.reading > coalesce(known.value_readings.impression_count, known.reading)
      or (snapshots.impression_count <> known.impression_count and snapshots.reading = coalesce(known.value_readings.impression_count, known.reading))
    )
  )
  or (
    snapshots.engagement is not null
    and (
      known.engagement is null
      or snapshots.reading > coalesce(known.value_readings.engagement, known.reading)
      or (snapshots.engagement <> known.engagement and snapshots.reading = coalesce(known.value_readings.engagement, known.reading))
    )
  )
  or (
    snapshots.emv is not null
    and (
      known.emv is null
      or snapshots.reading > coalesce(known.value_readings.emv, known.reading)
      or (snapshots.emv <> known.emv and snapshots.reading = coalesce(known.value_readings.emv, known.reading))
    )
  )
  or (
    snapshots.video_view_count is not null
    and (
      known.video_view_count is null
      or snapshots.reading > coalesce(known.value_readings.video_view_count, known.reading)
      or (snapshots.video_view_count <> known.video_view_count and snapshots.reading = coalesce(known.value_readings.video_view_count, known.reading))
    )
  )
  or (
    snapshots.video_viewer_count is not null
    and (
      known.video_viewer_count is null
      or snapshots.reading > coalesce(known.value_readings.video_viewer_count, known.reading)
      or (snapshots.video_viewer_count <> known.video_viewer_count and snapshots.reading = coalesce(known.value_readings.video_viewer_count, known.reading))
    )
  )
  or (
    snapshots.video_watch_time_seconds is not null
    and (
      known.video_watch_time_seconds is null
      or snapshots.reading > coalesce(known.value_readings.video_watch_time_seconds, known.reading)
      or (snapshots.video_watch_time_seconds <> known.video_watch_time_seconds and snapshots.reading = coalesce(known.value_readings.video_watch_time_seconds, known.reading))
    )
  )
order by all;
