-- grain: a profile of jobs.yaml, or one that is no longer there
-- key: workspace, profile_id
-- reads: profiles, linkedin_posts, extract_windows
--
-- refusal: the HTTP status of its newest answer, where that failed.
with newest as (
  select
    workspace,
    profile_id,
    max_by(case when status = 'failed' then http_status end, (fetched_at, run_id, seq)) as refusal
  from extract_windows
  group by workspace, profile_id
),
posts as (
  select workspace, profile_id, count(*) as posts
  from linkedin_posts
  where superseded_by is null
  group by workspace, profile_id
)
select workspace, profile_id, name, coalesce(posts, 0) as posts, refusal
from profiles
left join posts using (workspace, profile_id)
left join newest using (workspace, profile_id)
order by workspace, name, profile_id;
