-- grain: one section of a list: its basis
-- key: section
-- reads: workflow_groups, workflow_approvals, workflow_threads, workflow_rounds
with timed as (
  select
    nullif(any_value(posts), 0) as posts,
    nullif(any_value(timed_posts), 0) as timed,
    nullif(any_value(planned_posts), 0) as planned
  from workflow_groups
  where dimension = 'all'
),
asked as (
  select
    nullif(count(*), 0) as approvals,
    nullif(count(*) filter (where is_missing), 0) as missing
  from workflow_approvals
),
commented as (
  select nullif(count(*), 0) as reviewed
  from workflow_rounds
),
started as (
  select nullif(count(*) filter (where is_open), 0) as unresolved
  from workflow_threads
)
select
  unnest(
    [
      {'section': 'by_type', 'text': 'n = {timed:count} {timed|post|posts} with a known time'},
      {'section': 'by_weekday', 'text': 'n = {timed:count} {timed|post|posts} with a known time'},
      {'section': 'punctuality', 'text': 'n = {planned:count} {planned|post|posts} with a planned time'},
      {'section': 'approvers', 'text': 'n = {approvals:count} {approvals|approval|approvals}'},
      {'section': 'unapproved', 'text': '{missing:count} {missing|approval|approvals}'},
      {'section': 'by_rounds', 'text': 'n = {reviewed:count} {reviewed|post|posts} with comments read'},
      {'section': 'open_threads', 'text': '{unresolved:count} {unresolved|thread|threads}'},
      {'section': 'summary', 'text': 'n = {posts:count} {posts|post|posts}'}
    ],
    recursive := true
  ),
  *
from timed
cross join asked
cross join commented
cross join started;
