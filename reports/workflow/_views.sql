-- grain: one post under one of its groups (workflow_members); one group (workflow_groups); one approval of a post (workflow_approvals); one thread of comments on a post (workflow_threads); one post whose comments were read (workflow_rounds)
-- key: none; dimension, name; workspace, post_id, approval_id; workspace, post_id, thread_id; workspace, post_id
-- reads: report_posts, report_settings, review_readings, approvals, inline_comments, members_of
--
-- A post that was created after its publication, such as an import, has no time to publication. Approvals and comments
-- belong to the post of the workspace, whose time of publication is that of its first LinkedIn post.
create or replace temp table workflow_members as
select
  dimension,
  name,
  case when created_at <= published_at then (epoch_ms(published_at) - epoch_ms(created_at)) / 86400000 end as lead_days,
  (epoch_ms(published_at) - epoch_ms(publish_at)) / 1000 as delay_seconds
from members_of('posts', ['all', 'type', 'weekday', 'campaign', 'label'])
where is_current;

-- The planned time is met within five minutes.
create or replace temp macro punctuality_of(delay) as
  case
    when delay < -300 then 'Earlier'
    when delay <= 300 then 'On time'
    when delay <= 3600 then '5–60 min late'
    when delay <= 86400 then '1–24 h late'
    when delay > 86400 then 'Over a day late'
  end;

create or replace temp macro punctuality_order(punctuality) as
  list_position(['Earlier', 'On time', '5–60 min late', '1–24 h late', 'Over a day late'], punctuality);

create or replace temp table workflow_groups as
select
  dimension,
  name,
  count(*) as posts,
  count(lead_days) as timed_posts,
  case when timed_posts >= 10 then quantile_cont(lead_days, 0.25) end as lead_days_p25,
  case when timed_posts >= 10 then median(lead_days) end as lead_days_p50,
  case when timed_posts >= 10 then quantile_cont(lead_days, 0.75) end as lead_days_p75,
  exact_sum(lead_days) / nullif(timed_posts, 0) as mean_lead_days,
  count(delay_seconds) as planned_posts,
  count(*) filter (where punctuality_of(delay_seconds) = 'On time') / nullif(planned_posts, 0) as on_time_share,
  case when planned_posts > 0 then count(*) filter (where delay_seconds > 300) end as late_posts
from workflow_members
group by dimension, name;

create or replace temp table workflow_published as
select
  workspace,
  post_id,
  arg_min(title, linkedin_post_id) as title,
  arg_min(coalesce(profile, profile_id), coalesce(published_at, timestamptz 'infinity')) as profile,
  min(created_at) as created_at,
  min(published_at) as published_at
from report_posts
where post_id is not null
group by workspace, post_id;

-- is_open: neither approved nor answered in another way. is_late: past its due date, approved since or not. is_missing:
-- asked for before publication and not given by then.
create or replace temp table workflow_approvals as
select
  published.title,
  published.profile,
  published.published_at,
  coalesce(approvals.user_name, approvals.user_id, '(unknown)') as approver,
  coalesce(approvals.is_blocking, false) as is_blocking,
  approvals.created_at as asked_at,
  approvals.due_date,
  approvals.approved_at,
  approvals.approved_at is null and coalesce(approvals.status, 'Requested') = 'Requested' as is_open,
  coalesce(approvals.due_date < coalesce(approvals.approved_at, settings.data_as_of), false) as is_late,
  is_open and is_late as is_overdue,
  approvals.workspace,
  approvals.post_id,
  approvals.approval_id,
  coalesce(approvals.user_id, approvals.user_name, '') as approver_id,
  case
    when approvals.approved_at >= approvals.created_at
      then (epoch_ms(approvals.approved_at) - epoch_ms(approvals.created_at)) / 86400000
  end as decision_days,
  coalesce(
    approvals.created_at < published.published_at
      and (approvals.approved_at is null or approvals.approved_at > published.published_at),
    false
  ) as is_missing
from approvals
join workflow_published as published using (workspace, post_id)
cross join report_settings as settings;

create or replace temp table workflow_threads as
select
  published.title,
  published.profile,
  published.published_at,
  comments.channel,
  comments.highlighted_text,
  len(comments.replies) as replies,
  comments.created_at as started_at,
  coalesce(list_max(list_transform(comments.replies, lambda reply: reply.created_at)), comments.updated_at) as last_reply_at,
  comments.workspace,
  comments.post_id,
  comments.thread_id,
  list_transform(
    list_filter(comments.replies, lambda reply: reply.created_at <= published.published_at),
    lambda reply: timezone(settings.timezone, reply.created_at)::date
  ) as days,
  not coalesce(comments.resolved, false) as is_open
from inline_comments as comments
join workflow_published as published using (workspace, post_id)
cross join report_settings as settings;

-- rounds: the days before publication on which somebody commented
create or replace temp table workflow_rounds as
with threads as (
  select
    workspace,
    post_id,
    count(*) as threads,
    count(*) filter (where is_open) as open_threads,
    sum(replies)::bigint as replies,
    len(list_distinct(flatten(list(days order by thread_id)))) as rounds
  from workflow_threads
  group by workspace, post_id
)
select
  workspace,
  post_id,
  coalesce(rounds, 0) as rounds,
  coalesce(threads, 0) as threads,
  coalesce(open_threads, 0) as open_threads,
  coalesce(replies, 0) as replies,
  case when created_at <= published_at then (epoch_ms(published_at) - epoch_ms(created_at)) / 86400000 end as lead_days
from workflow_published
semi join (select * from review_readings where source = 'comments' and kind = 'found') as readings using (workspace, post_id)
left join threads using (workspace, post_id);
