-- grain: one profile in one month of the period, of the 12 profiles with the most EMV
-- key: profile, month
-- reads: report_groups, report_sums, report_months, report_times
--
-- Profiles of one name are distinguished by their workspace, then by their id.
with ranked as (
  select
    workspace,
    profile_id,
    case
      when count(*) over (partition by name) = 1 then name
      when count(*) over (partition by name, workspace) = 1 then name || ' (' || workspace || ')'
      else name || ' (' || workspace || ', ' || profile_id || ')'
    end as profile,
    row_number() over (order by emv desc nulls last, interactions desc nulls last, posts desc, name, workspace, profile_id) as rank
  from report_groups
  where dimension = 'profile'
),
monthly as (
  from report_sums where dimension = 'profile' and is_monthly
)
select
  ranked.profile,
  month,
  part_beside(part) as part,
  coalesce(not is_whole, true) as is_part,
  shown.emv,
  previous.emv as previous_emv,
  workspace,
  profile_id,
  shown.interactions
from ranked
cross join report_months
left join (from monthly where is_current) as shown using (workspace, profile_id, month)
left join (from monthly where not is_current) as previous using (workspace, profile_id, month)
left join report_times as times
  on times.dimension = 'month'
  and times.start = month
  and times.workspace = ranked.workspace
  and times.profile_id = ranked.profile_id
where ranked.rank <= 12
order by ranked.rank, month;
