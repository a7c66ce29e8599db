-- grain: a batch of events
-- key: none
-- reads: batch_events
-- parameters: none
select
  -- what this batch has told anew
  count(*) filter (where is_told and outcome = 'applied') as applied,
  count(*) filter (where is_told and outcome = 'kept') as kept,
  count(*) filter (where is_told and outcome = 'rejected') as rejected,
  list_sort(list(distinct workspace_slug) filter (where is_told and is_foreign)) as foreign_slugs,
  min(reason) filter (where is_told and outcome = 'rejected') as rejected_reason,
  count(*) filter (where is_new or is_judged_anew or is_earlier_copy) as changed,
  -- how all of its events stand now
  count(*) filter (where outcome_now = 'applied') as applied_now,
  count(*) filter (where outcome_now = 'kept') as kept_now,
  count(*) filter (where outcome_now = 'rejected') as rejected_now
from batch_events
order by all;
