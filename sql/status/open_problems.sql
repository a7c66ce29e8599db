-- grain: something that is wrong and has not ended, as far as the warehouse knows of it
-- key: kind, workspace, profile_id, start_date, end_date, field, workspace_slug
-- reads: failed_windows, extract_windows, linkedin_posts, posts, post_labels, metrics, webhook_events, readings, post_details
-- parameters: $now, $workspaces
--
-- failed_range       A date range whose newest answer failed, and that has days not read since.
-- later_reading      A profile with an answer that is later than now.
-- unreadable_values  A field that could not be read of posts of a profile. A metric counts whether or not an earlier value
--                    is known, anything else only where none is.
-- rejected_deletions Deletions that were not applied.
-- kept_deletions     A slug that no workspace has, of deletions whose posts are known in workspaces of jobs.yaml.
with deletions as (
  select
    outcome,
    workspace,
    workspace_slug,
    post.post_id as post_id,
    reason,
    received_at
  from webhook_events
  where type = 'post.permanently_deleted'
    and outcome <> 'applied'
),
known_posts as (
  select post_id
  from readings
  where post_id in (select post_id from deletions)
    and workspace in (select unnest($workspaces::varchar[]))
  union
  select post_id
  from post_details
  where post_id in (select post_id from deletions)
    and workspace in (select unnest($workspaces::varchar[]))
),
unreadable as (
  select
    known.workspace,
    known.profile_id,
    known.url,
    known.commentary,
    known.type,
    known.published_at,
    known.post_id,
    known.last_seen_at,
    posts.title,
    posts.campaign_id,
    labelled.post_id is not null as has_labels,
    unnest(known.unreadable) as field
  from linkedin_posts as known
  left join posts using (workspace, post_id)
  left join (select distinct workspace, post_id from post_labels) as labelled using (workspace, post_id)
  where known.unreadable is not null
    and known.superseded_by is null
),
found as (
  select
    'failed_range' as kind,
    workspace,
    profile_id,
    start_date,
    end_date,
    error as reason,
    fetched_at as since
  from failed_windows
  union all by name
  select 'later_reading' as kind, workspace, profile_id, max(fetched_at) as since
  from extract_windows
  where status <> 'failed'
    -- two machines may disagree by some minutes
    and fetched_at > $now::timestamptz + interval '1 hour'
  group by workspace, profile_id
  union all by name
  select
    'unreadable_values' as kind,
    workspace,
    profile_id,
    field,
    coalesce(any_value(noun), replace(field, '_', ' ')) as noun,
    coalesce(any_value(position), 100) as position,
    count(*) as records,
    max(last_seen_at) as since
  from unreadable
  left join metrics on metric = field
  where case field
    when 'url' then url is null
    when 'commentary' then commentary is null
    when 'type' then type is null
    when 'published_at' then published_at is null
    when 'post_id' then unreadable.post_id is null
    when 'title' then unreadable.title is null
    when 'labels' then not has_labels
    when 'campaign_id' then campaign_id is null
    else true
  end
  group by workspace, profile_id, field
  union all by name
  select 'rejected_deletions' as kind, count(*) as records, min(received_at) as since
  from deletions
  where outcome = 'rejected'
  having count(*) > 0
  union all by name
  select 'kept_deletions' as kind, workspace_slug, count(*) as records, min(received_at) as since
  from deletions
  semi join known_posts using (post_id)
  where outcome = 'kept'
    and workspace is null
    and reason <> 'discarded by hand'
  group by workspace_slug
)
select * exclude (position)
from found
order by kind, workspace, profile_id, start_date, end_date, position, field, workspace_slug;
