-- grain: the load
-- key: none
-- reads: post_effects, new_responses, new_checks
-- parameters: none
select
  (select fallen from post_effects) > 0
  or exists (
    from new_responses
    where kind = 'analytics' and outcome = 'succeeded' and records = 0
  )
  or exists (
    from new_checks
    where kind <> 'agreed'
  ) as may_have_warnings;
