-- grain: a window that was asked for in a run; asked twice, the later answer counts
-- key: run_id, workspace, profile_id, start_date, end_date
-- reads: staged_responses, staged_records, staged_rejects
-- parameters: none
merge into extract_windows as known
using (
  select
    responses.*,
    case
      when responses.outcome = 'succeeded' and unreadable.reason is null then 'succeeded'
      else 'failed'
    end as status,
    coalesce(unreadable.reason, responses.error) as told_error,
    coalesce(responses.known_posts_read, taken.posts_read, 0) as posts_read
  from staged_responses as responses
  left join (
    select workspace, reading, count(*) filter (where problem is null) as posts_read
    from staged_records
    group by workspace, reading
  ) as taken using (workspace, reading)
  -- an answer that is no array at all gave nothing, whatever its status
  left join (
    select workspace, reading, any_value(reason) as reason
    from staged_rejects
    anti join staged_records using (workspace, reading)
    group by workspace, reading
  ) as unreadable using (workspace, reading)
  where responses.kind = 'analytics'
  qualify row_number() over (
    partition by run_id, workspace, profile_id, start_date, end_date
    order by seq desc
  ) = 1
) as batch
on known.run_id = batch.run_id
  and known.workspace = batch.workspace
  and known.profile_id = batch.profile_id
  and known.start_date = batch.start_date
  and known.end_date = batch.end_date
when matched and batch.seq > known.seq then update set
  status = batch.status,
  http_status = batch.http_status,
  posts_read = batch.posts_read,
  requests = batch.requests,
  fetched_at = batch.fetched_at,
  error = batch.told_error,
  records = batch.records,
  distinct_posts = batch.distinct_posts,
  seq = batch.seq
when not matched then insert (
  run_id,
  workspace,
  profile_id,
  start_date,
  end_date,
  status,
  http_status,
  posts_read,
  requests,
  fetched_at,
  error,
  seq,
  records,
  distinct_posts
) values (
  batch.run_id,
  batch.workspace,
  batch.profile_id,
  batch.start_date,
  batch.end_date,
  batch.status,
  batch.http_status,
  batch.posts_read,
  batch.requests,
  batch.fetched_at,
  batch.told_error,
  batch.seq,
  batch.records,
  batch.distinct_posts
);
