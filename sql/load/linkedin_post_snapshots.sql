-- grain: a LinkedIn post and a day of the configured time zone: the last reading of that day, nulls too
-- key: workspace, linkedin_post_id, captured_on
-- reads: staged_records
-- parameters: $timezone
merge into linkedin_post_snapshots as known
using (
  select
    *,
    timezone($timezone, fetched_at)::date as captured_on
  from staged_records
  where problem is null
  qualify row_number() over (
    partition by workspace, linkedin_post_id, captured_on
    order by ordinal desc
  ) = 1
) as batch
on known.workspace = batch.workspace
  and known.linkedin_post_id = batch.linkedin_post_id
  and known.captured_on = batch.captured_on
when matched and batch.reading >= known.reading then update set
  captured_at = batch.fetched_at,
  like_count = batch.like_count,
  comment_count = batch.comment_count,
  share_count = batch.share_count,
  click_count = batch.click_count,
  save_count = batch.save_count,
  send_count = batch.send_count,
  impression_count = batch.impression_count,
  engagement = batch.engagement,
  emv = batch.emv,
  video_view_count = batch.video_view_count,
  video_viewer_count = batch.video_viewer_count,
  video_watch_time_seconds = batch.video_watch_time_seconds,
  reading = batch.reading
when not matched then insert (
  workspace,
  linkedin_post_id,
  captured_on,
  captured_at,
  like_count,
  comment_count,
  share_count,
  click_count,
  save_count,
  send_count,
  impression_count,
  engagement,
  emv,
  video_view_count,
  video_viewer_count,
  video_watch_time_seconds,
  reading
) values (
  batch.workspace,
  batch.linkedin_post_id,
  batch.captured_on,
  batch.fetched_at,
  batch.like_count,
  batch.comment_count,
  batch.share_count,
  batch.click_count,
  batch.save_count,
  batch.send_count,
  batch.impression_count,
  batch.engagement,
  batch.emv,
  batch.video_view_count,
  batch.video_viewer_count,
  batch.video_watch_time_seconds,
  batch.reading
);
