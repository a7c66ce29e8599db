-- grain: a LinkedIn post of the batch, its last reading with each value's own last known one
-- key: workspace, linkedin_post_id
-- reads: staged_records, staged_responses, linkedin_posts
-- parameters: none
create or replace temp table batch_linkedin_posts as
with latest as (
  select
    workspace,
    linkedin_post_id,
    max(ordinal) as ordinal,
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
    max(ordinal) filter (where like_count is not null) as like_count_ordinal,
    max(ordinal) filter (where comment_count is not null) as comment_count_ordinal,
    max(ordinal) filter (where share_count is not null) as share_count_ordinal,
    max(ordinal) filter (where click_count is not null) as click_count_ordinal,
    max(ordinal) filter (where save_count is not null) as save_count_ordinal,
    max(ordinal) filter (where send_count is not null) as send_count_ordinal,
    max(ordinal) filter (where impression_count is not null) as impression_count_ordinal,
    max(ordinal) filter (where engagement is not null) as engagement_ordinal,
    max(ordinal) filter (where emv is not null) as emv_ordinal,
    max(ordinal) filter (where video_view_count is not null) as video_view_count_ordinal,
    max(ordinal) filter (where video_viewer_count is not null) as video_viewer_count_ordinal,
    max(ordinal) filter (where video_watch_time_seconds is not null) as video_watch_time_seconds_ordinal,
    max(ordinal) filter (where post_id is not null) as post_id_ordinal
  from staged_records
  where problem is null
  group by workspace, linkedin_post_id
),
readings as (
  select list(reading order by first_ordinal) as by_rank
  from staged_responses
)
select
  latest.*,
  by_rank[rank_of(ordinal)] as reading,
  {
    'like_count': case
      when rank_of(like_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(like_count_ordinal)]
    end,
    'comment_count': case
      when rank_of(comment_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(comment_count_ordinal)]
    end,
    'share_count': case
      when rank_of(share_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(share_count_ordinal)]
    end,
    'click_count': case
      when rank_of(click_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(click_count_ordinal)]
    end,
    'save_count': case
      when rank_of(save_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(save_count_ordinal)]
    end,
    'send_count': case
      when rank_of(send_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(send_count_ordinal)]
    end,
    'impression_count': case
      when rank_of(impression_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(impression_count_ordinal)]
    end,
    'engagement': case
      when rank_of(engagement_ordinal) < rank_of(ordinal) then by_rank[rank_of(engagement_ordinal)]
    end,
    'emv': case
      when rank_of(emv_ordinal) < rank_of(ordinal) then by_rank[rank_of(emv_ordinal)]
    end,
    'video_view_count': case
      when rank_of(video_view_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(video_view_count_ordinal)]
    end,
    'video_viewer_count': case
      when rank_of(video_viewer_count_ordinal) < rank_of(ordinal) then by_rank[rank_of(video_viewer_count_ordinal)]
    end,
    'video_watch_time_seconds': case
      when rank_of(video_watch_time_seconds_ordinal) < rank_of(ordinal) then by_rank[rank_of(video_watch_time_seconds_ordinal)]
    end,
    'post_id': case
      when rank_of(post_id_ordinal) < rank_of(ordinal) then by_rank[rank_of(post_id_ordinal)]
    end
  } as value_readings
from latest
cross join readings;

-- What the batch does to each post, for the summary: a number that was restated counts, a new date of
-- reading alone does not.
insert into touched_posts
select
  batch.workspace,
  batch.linkedin_post_id,
  case
    when known.linkedin_post_id is null then 'new'
    when (
      batch.reading > known.reading
      and (
        batch.url, batch.type, batch.commentary.is, batch.published_at.is, batch.extra.is
      ) is distinct from (known.url, known.type, known.commentary, known.published_at, known.extra)
    )
    or (
      given_in(batch.like_count, batch.value_readings.like_count, batch.reading)
        > coalesce(given_in(known.like_count, known.value_readings.like_count, known.reading), '')
      and batch.like_count is distinct from known.like_count
    )
    or (
      given_in(batch.comment_count, batch.value_readings.comment_count, batch.reading)
        > coalesce(given_in(known.comment_count, known.value_readings.comment_count, known.reading), '')
      and batch.comment_count is distinct from known.comment_count
    )
    or (
      given_in(batch.share_count, batch.value_readings.share_count, batch.reading)
        > coalesce(given_in(known.share_count, known.value_readings.share_count, known.reading), '')
      and batch.share_count is distinct from known.share_count
    )
    or (
      given_in(batch.click_count, batch.value_readings.click_count, batch.reading)
        > coalesce(given_in(known.click_count, known.value_readings.click_count, known.reading), '')
      and batch.click_count is distinct from known.click_count
    )
    or (
      given_in(batch.save_count, batch.value_readings.save_count, batch.reading)
        > coalesce(given_in(known.save_count, known.value_readings.save_count, known.reading), '')
      and batch.save_count is distinct from known.save_count
    )
    or (
      given_in(batch.send_count, batch.value_readings.send_count, batch.reading)
        > coalesce(given_in(known.send_count, known.value_readings.send_count, known.reading), '')
      and batch.send_count is distinct from known.send_count
    )
    or (
      given_in(batch.impression_count, batch.value_readings.impression_count, batch.reading)
        > coalesce(given_in(known.impression_count, known.value_readings.impression_count, known.reading), '')
      and batch.impression_count is distinct from known.impression_count
    )
    or (
      given_in(batch.engagement, batch.value_readings.engagement, batch.reading)
        > coalesce(given_in(known.engagement, known.value_readings.engagement, known.reading), '')
      and batch.engagement is distinct from known.engagement
    )
    or (
      given_in(batch.emv, batch.value_readings.emv, batch.reading)
        > coalesce(given_in(known.emv, known.value_readings.emv, known.reading), '')
      and batch.emv is distinct from known.emv
    )
    or (
      given_in(batch.video_view_count, batch.value_readings.video_view_count, batch.reading)
        > coalesce(given_in(known.video_view_count, known.value_readings.video_view_count, known.reading), '')
      and batch.video_view_count is distinct from known.video_view_count
    )
    or (
      given_in(batch.video_viewer_count, batch.value_readings.video_viewer_count, batch.reading)
        > coalesce(given_in(known.video_viewer_count, known.value_readings.video_viewer_count, known.reading), '')
      and batch.video_viewer_count is distinct from known.video_viewer_count
    )
    or (
      given_in(batch.video_watch_time_seconds, batch.value_readings.video_watch_time_seconds, batch.reading)
        > coalesce(given_in(known.video_watch_time_seconds, known.value_readings.video_watch_time_seconds, known.reading), '')
      and batch.video_watch_time_seconds is distinct from known.video_watch_time_seconds
    )
    or (
      given_in(batch.post_id, batch.value_readings.post_id, batch.reading)
        > coalesce(given_in(known.post_id, known.value_readings.post_id, known.reading), '')
      and batch.post_id is distinct from known.post_id
    )
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
    when given_in(batch.like_count, batch.value_readings.like_count, batch.reading)
      > coalesce(given_in(known.like_count, known.value_readings.like_count, known.reading), '')
    then batch.like_count
    else known.like_count
  end,
  comment_count = case
    when given_in(batch.comment_count, batch.value_readings.comment_count, batch.reading)
      > coalesce(given_in(known.comment_count, known.value_readings.comment_count, known.reading), '')
    then batch.comment_count
    else known.comment_count
  end,
  share_count = case
    when given_in(batch.share_count, batch.value_readings.share_count, batch.reading)
      > coalesce(given_in(known.share_count, known.value_readings.share_count, known.reading), '')
    then batch.share_count
    else known.share_count
  end,
  click_count = case
    when given_in(batch.click_count, batch.value_readings.click_count, batch.reading)
      > coalesce(given_in(known.click_count, known.value_readings.click_count, known.reading), '')
    then batch.click_count
    else known.click_count
  end,
  save_count = case
    when given_in(batch.save_count, batch.value_readings.save_count, batch.reading)
      > coalesce(given_in(known.save_count, known.value_readings.save_count, known.reading), '')
    then batch.save_count
    else known.save_count
  end,
  send_count = case
    when given_in(batch.send_count, batch.value_readings.send_count, batch.reading)
      > coalesce(given_in(known.send_count, known.value_readings.send_count, known.reading), '')
    then batch.send_count
    else known.send_count
  end,
  impression_count = case
    when given_in(batch.impression_count, batch.value_readings.impression_count, batch.reading)
      > coalesce(given_in(known.impression_count, known.value_readings.impression_count, known.reading), '')
    then batch.impression_count
    else known.impression_count
  end,
  engagement = case
    when given_in(batch.engagement, batch.value_readings.engagement, batch.reading)
      > coalesce(given_in(known.engagement, known.value_readings.engagement, known.reading), '')
    then batch.engagement
    else known.engagement
  end,
  emv = case
    when given_in(batch.emv, batch.value_readings.emv, batch.reading)
      > coalesce(given_in(known.emv, known.value_readings.emv, known.reading), '')
    then batch.emv
    else known.emv
  end,
  video_view_count = case
    when given_in(batch.video_view_count, batch.value_readings.video_view_count, batch.reading)
      > coalesce(given_in(known.video_view_count, known.value_readings.video_view_count, known.reading), '')
    then batch.video_view_count
    else known.video_view_count
  end,
  video_viewer_count = case
    when given_in(batch.video_viewer_count, batch.value_readings.video_viewer_count, batch.reading)
      > coalesce(given_in(known.video_viewer_count, known.value_readings.video_viewer_count, known.reading), '')
    then batch.video_viewer_count
    else known.video_viewer_count
  end,
  video_watch_time_seconds = case
    when given_in(batch.video_watch_time_seconds, batch.value_readings.video_watch_time_seconds, batch.reading)
      > coalesce(given_in(known.video_watch_time_seconds, known.value_readings.video_watch_time_seconds, known.reading), '')
    then batch.video_watch_time_seconds
    else known.video_watch_time_seconds
  end,
  post_id = case
    when given_in(batch.post_id, batch.value_readings.post_id, batch.reading)
      > coalesce(given_in(known.post_id, known.value_readings.post_id, known.reading), '')
    then batch.post_id
    else known.post_id
  end,
  first_seen_at = least(batch.first_seen_at, known.first_seen_at),
  last_seen_at = greatest(batch.last_seen_at, known.last_seen_at),
  reading = greatest(batch.reading, known.reading),
  value_readings = {
    'like_count': nullif(
      greatest(
        given_in(batch.like_count, batch.value_readings.like_count, batch.reading),
        given_in(known.like_count, known.value_readings.like_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'comment_count': nullif(
      greatest(
        given_in(batch.comment_count, batch.value_readings.comment_count, batch.reading),
        given_in(known.comment_count, known.value_readings.comment_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'share_count': nullif(
      greatest(
        given_in(batch.share_count, batch.value_readings.share_count, batch.reading),
        given_in(known.share_count, known.value_readings.share_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'click_count': nullif(
      greatest(
        given_in(batch.click_count, batch.value_readings.click_count, batch.reading),
        given_in(known.click_count, known.value_readings.click_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'save_count': nullif(
      greatest(
        given_in(batch.save_count, batch.value_readings.save_count, batch.reading),
        given_in(known.save_count, known.value_readings.save_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'send_count': nullif(
      greatest(
        given_in(batch.send_count, batch.value_readings.send_count, batch.reading),
        given_in(known.send_count, known.value_readings.send_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'impression_count': nullif(
      greatest(
        given_in(batch.impression_count, batch.value_readings.impression_count, batch.reading),
        given_in(known.impression_count, known.value_readings.impression_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'engagement': nullif(
      greatest(
        given_in(batch.engagement, batch.value_readings.engagement, batch.reading),
        given_in(known.engagement, known.value_readings.engagement, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'emv': nullif(
      greatest(
        given_in(batch.emv, batch.value_readings.emv, batch.reading),
        given_in(known.emv, known.value_readings.emv, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'video_view_count': nullif(
      greatest(
        given_in(batch.video_view_count, batch.value_readings.video_view_count, batch.reading),
        given_in(known.video_view_count, known.value_readings.video_view_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'video_viewer_count': nullif(
      greatest(
        given_in(batch.video_viewer_count, batch.value_readings.video_viewer_count, batch.reading),
        given_in(known.video_viewer_count, known.value_readings.video_viewer_count, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'video_watch_time_seconds': nullif(
      greatest(
        given_in(batch.video_watch_time_seconds, batch.value_readings.video_watch_time_seconds, batch.reading),
        given_in(known.video_watch_time_seconds, known.value_readings.video_watch_time_seconds, known.reading)
      ),
      greatest(batch.reading, known.reading)
    ),
    'post_id': nullif(
      greatest(
        given_in(batch.post_id, batch.value_readings.post_id, batch.reading),
        given_in(known.post_id, known.value_readings.post_id, known.reading)
      ),
      greatest(batch.reading, known.reading)
    )
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
