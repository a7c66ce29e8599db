-- grain: one section of a list: its basis
-- key: section
-- reads: report_settings, workflow_groups, workflow_approvals, workflow_threads, workflow_rounds
select * replace (nullif(n, 0) as n)
from (
  select unnest([
    {'section': 'by_type', 'text': 'n = {n:count} {n|post|posts} with a known time', 'n': timed_posts},
    {'section': 'by_weekday', 'text': 'n = {n:count} {n|post|posts} with a known time', 'n': timed_posts},
    {'section': 'punctuality', 'text': 'n = {n:count} {n|post|posts} with a planned time', 'n': planned_posts},
    {'section': 'approvers', 'text': 'n = {n:count} {n|approval|approvals}', 'n': (select count(*) from workflow_approvals)},
    {'section': 'unapproved', 'text': '{n:count} {n|approval|approvals}', 'n': (select count(*) from workflow_approvals where is_missing)},
    {'section': 'by_rounds', 'text': 'n = {n:count} {n|post|posts} with comments read', 'n': (select count(*) from workflow_rounds)},
    {'section': 'open_threads', 'text': '{n:count} {n|thread|threads}', 'n': (select count(*) from workflow_threads where is_open)},
    {'section': 'summary', 'text': 'n = {n:count} {n|post|posts}', 'n': posts}
  ], recursive := true)
  from report_settings
  left join workflow_groups on dimension = 'all'
);
