-- grain: an event that is new, or whose workspace or outcome has changed with today's slugs
-- key: event_key
-- reads: webhook_events, readings, post_details, new_responses
-- parameters: $slugs (a JSON object: the workspace's key by its slug), $all (after a change of these)
--
-- An event on a post that is known in one configured workspace alone belongs there, whatever its slug.
create or replace temp table newly_known as
select distinct workspace, post_id
from (
  select workspace, post_id
  from readings
  semi join new_responses using (workspace, run_id, seq)
  union all
  select workspace, post_id
  from post_details
  semi join new_responses using (workspace, run_id, seq)
)
where post_id is not null;

-- What becomes of the others is as before.
create or replace temp table judged_events as
select event_key, post.post_id as post_id
from webhook_events
where $all
  or outcome = ''
  or event_key in (
    select payload ->> '$.data.event_key'
    from webhook_events
    where type = 'postledger.event_discarded' and outcome = ''
  )
  or event_key in (
    select event_key
    from webhook_events as events
    join newly_known
      on newly_known.post_id = events.post.post_id
      and newly_known.workspace is distinct from events.workspace
  );

create or replace temp table home_workspaces as
with known as (
  select workspace, post_id
  from readings
  where post_id in (select post_id from judged_events)
  union
  select workspace, post_id
  from post_details
  where post_id in (select post_id from judged_events)
)
select post_id, any_value(workspace) as workspace
from known
where workspace in (select unnest(json_extract_string($slugs::json, '$.*')))
group by post_id
having count(*) = 1;

create or replace temp table changed_events as
with judged as (
  select
    event_key,
    coalesce(
      home_workspaces.workspace,
      $slugs::json ->> ('/' || replace(replace(workspace_slug, '~', '~0'), '/', '~1'))
    ) as workspace,
    type,
    workspace_slug,
    problem,
    post is not null or invite is not null or type in ('postledger.event_discarded', 'postledger.erased') as is_known,
    event_key in (
      select payload ->> '$.data.event_key'
      from webhook_events
      where type = 'postledger.event_discarded' and problem is null
    ) as is_discarded
  from webhook_events
  semi join judged_events using (event_key)
  left join home_workspaces on home_workspaces.post_id = webhook_events.post.post_id
),
outcomes as (
  select
    event_key,
    workspace,
    case
      when is_discarded then 'kept'
      when problem is not null then 'rejected'
      when is_known and workspace is not null then 'applied'
      else 'kept'
    end as outcome,
    case
      when is_discarded then 'discarded by hand'
      when problem is not null then problem
      when not is_known then 'the type ' || to_json(left(type, 40)) || ' is not known'
      when workspace is null then 'the workspace ' || coalesce(to_json(left(workspace_slug, 40)), 'null') || ' is not configured'
    end as reason
  from judged
)
select
  outcomes.*,
  known.workspace as workspace_before,
  known.outcome as outcome_before,
  known.type,
  known.post.post_id as post_id,
  known.workspace_slug
from outcomes
join webhook_events as known using (event_key)
where (outcomes.workspace, outcomes.outcome, outcomes.reason)
  is distinct from (known.workspace, known.outcome, known.reason);

update webhook_events
set
  workspace = changed.workspace,
  outcome = changed.outcome,
  reason = changed.reason
from changed_events as changed
where webhook_events.event_key = changed.event_key;

insert into touched_events
select event_key, workspace_before
from changed_events;

insert into removed_posts
select workspace, post_id
from changed_events
where post_id is not null and workspace is not null
union
select workspace_before, post_id
from changed_events
where post_id is not null and workspace_before is not null;

delete from invites
where exists (
  from changed_events
);

insert into invites by name
select
  invite.invite_id as invite_id,
  invite.email as email,
  time_of(invite.created_at) as created_at,
  invite.invited_by as invited_by,
  invite.workspace_slug as workspace_slug,
  invite.sent_email as sent_email
from webhook_events
where outcome = 'applied'
  and invite is not null
  and exists (
    from changed_events
  )
qualify row_number() over (partition by invite.invite_id order by reading_id desc) = 1;

-- grain: an outcome of events
select
  outcome,
  count(*) as events,
  count(*) filter (where type = 'post.permanently_deleted') as deletions,
  list_sort(list(distinct workspace_slug) filter (where outcome = 'kept' and starts_with(reason, 'the workspace')))[:5] as foreign_slugs,
  min(reason) filter (where outcome = 'rejected') as example
from changed_events
where outcome <> outcome_before
group by outcome
order by outcome;
