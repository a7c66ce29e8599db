-- grain: one profile of the report (report_scope); one row: the end of the day of --as-of (readings_end); one post with a value that could not be read (unreadable_posts); one post that was published (report_linked_posts); one workspace that refused a run as a whole (report_refusals); else that of the table that each hides
-- key: workspace, profile_id; none; workspace, linkedin_post_id; workspace, post_id; workspace, refused_at; else that of the table that each hides
-- reads: report_scope, linkedin_posts, readings, readings_end, scoped_posts, extract_windows, whole_workspaces, own_run_parts, post_labels, posts, loaded_responses, report_linked_posts, run_parts, profiles
-- parameters: $scope_workspaces, $scope_profile_ids, $scope_names, $asked_from, $asked_until, $whole_workspaces, $timezone, $as_of, $own_figures
--
-- The scope of the report: pairs of workspace and profile id. A table or view of the same name hides each table of the
-- warehouse, so that no view or section can bypass it. `warehouse` is replaced by a random name in each session. What
-- others than the scope's profiles have is in `temp`, which the connections of reports do not see. asked_from
-- is the first day that any job asks of the profile, asked_until its last day; either may be an empty text. A row without
-- a profile (a draft, a rejected event) belongs to the report if the scope has every configured profile of the workspace and the row
-- is not known to belong to a profile outside it. A profile has the name that jobs.yaml gives it today.
--
-- Every table is first reduced to the scope's workspaces. A join key written as `key || ''` is compared only in these;
-- otherwise DuckDB would search the whole table for it first.
create or replace temp table report_scope as
with pairs as (
  select
    unnest($scope_workspaces::varchar[]) as workspace,
    unnest($scope_profile_ids::varchar[]) as profile_id,
    unnest($scope_names::varchar[]) as profile,
    unnest($asked_from::varchar[]) as asked_from,
    unnest($asked_until::varchar[]) as asked_until
)
select
  * replace (nullif(asked_from, '')::date as asked_from, nullif(asked_until, '')::date as asked_until),
  list_contains($whole_workspaces::varchar[], workspace) as is_whole
from pairs;

create or replace temp table profiles as
select profiles.* replace (report_scope.profile as name)
from warehouse.profiles as profiles
join report_scope using (workspace, profile_id);

create or replace temp table prices as
select prices.*
from warehouse.prices as prices
semi join profiles on prices.list = profiles.prices;

-- The last answer that had a post may be of a profile outside the scope, as may some of its readings. Neither names it.
-- The posts of a file are read where they are, since a table would hold their texts in memory. In a lake, where each scan
-- costs more, this is a table.
create or replace temp view scoped_posts as
select linkedin_posts.* replace (if(last_profile_id = linkedin_posts.profile_id, last_profile_id, null) as last_profile_id)
from warehouse.linkedin_posts as linkedin_posts
semi join report_scope as scope
  on scope.workspace = linkedin_posts.workspace
  and scope.profile_id = linkedin_posts.profile_id || '';

create or replace temp view linkedin_posts as
from scoped_posts;

create or replace temp table shared_posts as
select shared.*
from warehouse.shared_posts as shared
semi join report_scope using (workspace, profile_id);

create or replace temp table extract_windows as
select windows.*
from warehouse.extract_windows as windows
semi join report_scope as scope
  on scope.workspace = windows.workspace
  and scope.profile_id = windows.profile_id || '';

-- other workspaces' profiles and slugs are not part of the report, and its days are those of its own time zone
create or replace temp table load_settings as
select
  $timezone::varchar as timezone,
  '[]'::json as profiles,
  '{}'::json as slugs,
  '[]'::json as prices,
  $own_figures::json as figures;

create or replace temp table readings_end as
select coalesce(timezone($timezone::varchar, $as_of::date + interval 1 day), timestamptz 'infinity') as ends_at;

create or replace temp table whole_workspaces as
select distinct workspace
from report_scope
where is_whole;

-- The posts that belong only to profiles outside the scope.
create or replace temp table temp.posts_of_others as
select distinct workspace, post_id
from warehouse.linkedin_posts
anti join linkedin_posts using (workspace, post_id)
where post_id is not null
  and workspace in (select workspace from report_scope);

-- A post whose LinkedIn post was read only after a past day is not a draft there, so these are of today in all reports.
create or replace temp table report_linked_posts as
select distinct workspace, post_id
from linkedin_posts
where post_id is not null;

create or replace temp table posts as
select posts.*
from warehouse.posts as posts
left join report_linked_posts as linked using (workspace, post_id)
left join whole_workspaces as whole using (workspace)
left join temp.posts_of_others as others using (workspace, post_id)
where posts.workspace in (select workspace from report_scope)
  and (linked.post_id is not null or (whole.workspace is not null and others.post_id is null));

create or replace temp table post_labels as
select post_labels.*
from warehouse.post_labels as post_labels
semi join posts using (workspace, post_id);

-- a label or campaign without posts belongs to the workspace itself
create or replace temp table labels as
with own as (
  select workspace, label_id
  from warehouse.labels
  semi join whole_workspaces using (workspace)
  anti join warehouse.post_labels using (workspace, label_id)
  union
  select workspace, label_id
  from post_labels
)
select labels.*
from warehouse.labels as labels
semi join own using (workspace, label_id);

create or replace temp table campaigns as
with own as (
  select workspace, campaign_id
  from warehouse.campaigns
  semi join whole_workspaces using (workspace)
  anti join warehouse.posts using (workspace, campaign_id)
  union
  select workspace, campaign_id
  from posts
)
select campaigns.*
from warehouse.campaigns as campaigns
semi join own using (workspace, campaign_id);

create or replace temp view assets as
select assets.*
from warehouse.assets as assets
semi join posts using (workspace, post_id);

-- The readings up to the end of the day of --as-of. Those of a record that is superseded belong to the post that
-- supersedes it.
create or replace temp view readings as
select readings.* replace (
  coalesce(records.superseded_by, readings.linkedin_post_id) as linkedin_post_id,
  records.profile_id as profile_id
)
from warehouse.readings as readings
join (select workspace, linkedin_post_id, profile_id, superseded_by from scoped_posts) as records
  on records.workspace = readings.workspace
  and records.linkedin_post_id = readings.linkedin_post_id || ''
cross join readings_end
where readings.fetched_at < readings_end.ends_at;

-- The posts of which a value could not be read in some reading; few, if any.
create or replace temp table unreadable_posts as
select distinct workspace, linkedin_post_id
from readings
where unreadable is not null;

create or replace temp table temp.windows_of_others as
select run_id, workspace, seq, status, http_status, fetched_at
from warehouse.extract_windows
anti join report_scope using (workspace, profile_id)
where workspace in (select workspace from report_scope);

create or replace temp table loaded_responses as
select responses.*
from warehouse.loaded_responses as responses
left join extract_windows as own using (workspace, run_id, seq)
left join whole_workspaces as whole using (workspace)
left join temp.windows_of_others as others using (workspace, run_id, seq)
where responses.workspace in (select workspace from report_scope)
  and (
    own.seq is not null
    or (whole.workspace is not null and others.seq is null and responses.kind <> 'analytics')
  );

create or replace temp table own_run_parts as
select run_id, workspace
from warehouse.run_parts
semi join whole_workspaces using (workspace)
anti join temp.windows_of_others using (run_id, workspace);

-- this is a view because its lists of profiles are long and seldom read
create or replace temp view run_parts as
select parts.*
from warehouse.run_parts as parts
semi join own_run_parts using (run_id, workspace);

-- a run that also read other profiles keeps only the part for those of the scope
create or replace temp table runs as
with own_windows as (
  select
    windows.run_id,
    sum(windows.requests)::bigint as requests,
    sum(windows.posts_read)::bigint as posts_read,
    coalesce(sum(responses.rejected), 0)::bigint as rejected,
    case
      when bool_and(windows.status = 'succeeded') then 'succeeded'
      when bool_or(windows.status = 'succeeded') then 'partial'
      else 'failed'
    end as status
  from extract_windows as windows
  left join loaded_responses as responses using (workspace, run_id, seq)
  group by windows.run_id
),
seen as (
  select run_id from own_windows
  union
  select run_id from run_parts
),
others as (
  select run_id from temp.windows_of_others
  union
  select run_id
  from warehouse.run_parts
  semi join seen using (run_id)
  anti join whole_workspaces using (workspace)
)
select runs.*
from warehouse.runs as runs
semi join seen using (run_id)
anti join others using (run_id)
union all by name
select runs.* replace (
  case when runs.finished_at is null then runs.status else own_windows.status end as status,
  own_windows.requests as requests,
  null::bigint as retries,
  null::bigint as throttled,
  own_windows.posts_read as posts_read,
  own_windows.rejected as rejected
)
from warehouse.runs as runs
semi join others using (run_id)
join own_windows using (run_id);

-- a run that a workspace refused as a whole asks for none of its other profiles
create or replace temp table report_refusals as
with refused as (
  select run_id, workspace, fetched_at
  from warehouse.extract_windows
  where status = 'failed'
    and (http_status is null or http_status in (401, 403, 429) or http_status >= 500)
)
select distinct refused.workspace, refused.fetched_at as refused_at
from refused
join warehouse.run_parts as parts using (run_id, workspace)
semi join report_scope using (workspace)
where parts.status = 'failed';
