-- grain: a LinkedIn post of the batch, its last reading with each value's own last known one
-- key: workspace, linkedin_post_id
-- reads: staged_records, linkedin_posts
-- parameters: none
create or replace temp table batch_linkedin_posts as
select
  workspace,
  linkedin_post_id,
  max(reading) as reading,
  min(fetched_at) as first_seen_at,
  max(fetched_at) as last_seen_at,
  max_by(profile_id, ordinal) as profile_id,
  max_by(url, ordinal) as url,
  max_by(type, ordinal) as type,
  -- these are as last given, null or not, where max_by alone would pass over nulls
  max_by({'is': commentary}, ordinal) as commentary,
  max_by({'is': published_at}, ordinal) as published_at,
  max_by({'is': extra}, ordinal) as extra,
  max_by(like_count, ordinal) as like_count,
  max_by(comment_count, ordinal) as comment_count,
  max_by(share_count, ordinal) as share_count,
  max_by(click_count, ordinal) as click_count,
  max_by(save_count, ordinal) as save_count,
  max_by(send_count, ordinal) as send_count,
  max_by(impression_count, ordinal) as impression_count,
  max_by(engagement, ordinal) as engagement,
  max_by(emv, ordinal) as emv,
  max_by(video_view_count, ordinal) as video_view_count,
  max_by(video_viewer_count, ordinal) as video_viewer_count,
  max_by(video_watch_time_seconds, ordinal) as video_watch_time_seconds,
  max_by(post_id, ordinal) as post_id,
  {
    'like_count': max(reading) filter (where like_count is not null),
    'comment_count': max(reading) filter (where comment_count is not null),
    'share_count': max(reading) filter (where share_count is not null),
    'click_count': max(reading) filter (where click_count is not null),
    'save_count': max(reading) filter (where save_count is not null),
    'send_count': max(reading) filter (where send_count is not null),
    'impression_count': max(reading) filter (where impression_count is not null),
    'engagement': max(reading) filter (where engagement is not null),
    'emv': max(reading) filter (where emv is not null),
    'video_view_count': max(reading) filter (where video_view_count is not null),
    'video_viewer_count': max(reading) filter (where video_viewer_count is not null),
    'video_watch_time_seconds': max(reading) filter (where video_watch_time_seconds is not null),
    'post_id': max(reading) filter (where post_id is not null)
  } as value_readings
from staged_records
where problem is null
group by workspace, linkedin_post_id;

-- What the batch does to each post, for the summary: a number that was restated counts, a new date of
-- reading alone does not.
insert into touched_posts
select
  batch.workspace,
  batch.linkedin_post_id,
  case
    when known.linkedin_post_id is null then 'new'
    when (batch.reading > known.reading and (
        batch.url, batch.type, batch.commentary.is, batch.published_at.is, batch.extra.is
      ) is distinct from (known.url, known.type, known.commentary, known.published_at, known.extra))
      or (batch.value_readings.like_count > coalesce(known.value_readings.like_count, '') and batch.like_count is distinct from known.like_count)
      or (batch.value_readings.comment_count > coalesce(known.value_readings.comment_count, '') and batch.comment_count is distinct from known.comment_count)
      or (batch.value_readings.share_count > coalesce(known.value_readings.share_count, '') and batch.share_count is distinct from known.share_count)
      or (batch.value_readings.click_count > coalesce(known.value_readings.click_count, '') and batch.click_count is distinct from known.click_count)
      or (batch.value_readings.save_count > coalesce(known.value_readings.save_count, '') and batch.save_count is distinct from known.save_count)
      or (batch.value_readings.send_count > coalesce(known.value_readings.send_count, '') and batch.send_count is distinct from known.send_count)
      or (batch.value_readings.impression_count > coalesce(known.value_readings.impression_count, '') and batch.impression_count is distinct from known.impression_count)
      or (batch.value_readings.engagement > coalesce(known.value_readings.engagement, '') and batch.engagement is distinct from known.engagement)
      or (batch.value_readings.emv > coalesce(known.value_readings.emv, '') and batch.emv is distinct from known.emv)
      or (batch.value_readings.video_view_count > coalesce(known.value_readings.video_view_count, '') and batch.video_view_count is distinct from known.video_view_count)
      or (batch.value_readings.video_viewer_count > coalesce(known.value_readings.video_viewer_count, '') and batch.video_viewer_count is distinct from known.video_viewer_count)
      or (batch.value_readings.video_watch_time_seconds > coalesce(known.value_readings.video_watch_time_seconds, '') and batch.video_watch_time_seconds is distinct from known.video_watch_time_seconds)
      or (batch.value_readings.post_id > coalesce(known.value_readings.post_id, '') and batch.post_id is distinct from known.post_id)
    then 'changed'
    else 'unchanged'
  end as effect
from batch_linkedin_posts as batch
left join linkedin_posts as known using (workspace, linkedin_post_id);

merge into linkedin_posts as known
using batch_linkedin_posts as batch
on known.workspace = batch.workspace
  and known.linkedin_post_id = batch.linkedin_post_id
when matched then update set
  profile_id = case when batch.reading > known.reading then batch.profile_id else known.profile_id end,
  url = case when batch.reading > known.reading then batch.url else known.url end,
  type = case when batch.reading > known.reading then batch.type else known.type end,
  commentary = case when batch.reading > known.reading then batch.commentary.is else known.commentary end,
  published_at = case when batch.reading > known.reading then batch.published_at.is else known.published_at end,
  extra = case when batch.reading > known.reading then batch.extra.is else known.extra end,
  like_count = case
    when batch.value_readings.like_count > coalesce(known.value_readings.like_count, '') then batch.like_count
    else known.like_count
  end,
  comment_count = case
    when batch.value_readings.comment_count > coalesce(known.value_readings.comment_count, '') then batch.comment_count
    else known.comment_count
  end,
  share_count = case
    when batch.value_readings.share_count > coalesce(known.value_readings.share_count, '') then batch.share_count
    else known.share_count
  end,
  click_count = case
    when batch.value_readings.click_count > coalesce(known.value_readings.click_count, '') then batch.click_count
    else known.click_count
  end,
  save_count = case
    when batch.value_readings.save_count > coalesce(known.value_readings.save_count, '') then batch.save_count
    else known.save_count
  end,
  send_count = case
    when batch.value_readings.send_count > coalesce(known.value_readings.send_count, '') then batch.send_count
    else known.send_count
  end,
  impression_count = case
    when batch.value_readings.impression_count > coalesce(known.value_readings.impression_count, '') then batch.impression_count
    else known.impression_count
  end,
  engagement = case
    when batch.value_readings.engagement > coalesce(known.value_readings.engagement, '') then batch.engagement
    else known.engagement
  end,
  emv = case
    when batch.value_readings.emv > coalesce(known.value_readings.emv, '') then batch.emv
    else known.emv
  end,
  video_view_count = case
    when batch.value_readings.video_view_count > coalesce(known.value_readings.video_view_count, '') then batch.video_view_count
    else known.video_view_count
  end,
  video_viewer_count = case
    when batch.value_readings.video_viewer_count > coalesce(known.value_readings.video_viewer_count, '') then batch.video_viewer_count
    else known.video_viewer_count
  end,
  video_watch_time_seconds = case
    when batch.value_readings.video_watch_time_seconds > coalesce(known.value_readings.video_watch_time_seconds, '') then batch.video_watch_time_seconds
    else known.video_watch_time_seconds
  end,
  post_id = case
    when batch.value_readings.post_id > coalesce(known.value_readings.post_id, '') then batch.post_id
    else known.post_id
  end,
  first_seen_at = least(batch.first_seen_at, known.first_seen_at),
  last_seen_at = greatest(batch.last_seen_at, known.last_seen_at),
  reading = greatest(batch.reading, known.reading),
  value_readings = {
    'like_count': greatest(batch.value_readings.like_count, known.value_readings.like_count),
    'comment_count': greatest(batch.value_readings.comment_count, known.value_readings.comment_count),
    'share_count': greatest(batch.value_readings.share_count, known.value_readings.share_count),
    'click_count': greatest(batch.value_readings.click_count, known.value_readings.click_count),
    'save_count': greatest(batch.value_readings.save_count, known.value_readings.save_count),
    'send_count': greatest(batch.value_readings.send_count, known.value_readings.send_count),
    'impression_count': greatest(batch.value_readings.impression_count, known.value_readings.impression_count),
    'engagement': greatest(batch.value_readings.engagement, known.value_readings.engagement),
    'emv': greatest(batch.value_readings.emv, known.value_readings.emv),
    'video_view_count': greatest(batch.value_readings.video_view_count, known.value_readings.video_view_count),
    'video_viewer_count': greatest(batch.value_readings.video_viewer_count, known.value_readings.video_viewer_count),
    'video_watch_time_seconds': greatest(batch.value_readings.video_watch_time_seconds, known.value_readings.video_watch_time_seconds),
    'post_id': greatest(batch.value_readings.post_id, known.value_readings.post_id)
  }
when not matched then insert (
  workspace,
  linkedin_post_id,
  profile_id,
  url,
  commentary,
  type,
  published_at,
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
  post_id,
  first_seen_at,
  last_seen_at,
  extra,
  reading,
  value_readings
) values (
  batch.workspace,
  batch.linkedin_post_id,
  batch.profile_id,
  batch.url,
  batch.commentary.is,
  batch.type,
  batch.published_at.is,
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
  batch.post_id,
  batch.first_seen_at,
  batch.last_seen_at,
  batch.extra.is,
  batch.reading,
  batch.value_readings
);
