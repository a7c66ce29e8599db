-- grain: one profile in one month of the period, of the 12 profiles with the most EMV
-- key: profile, month
-- reads: emv_groups, emv_sums, report_months
-- parameters: none
--
-- Profiles of one name are told apart by their workspace, then by their id.
with ranked as (
  select
    workspace,
    profile_id,
    name,
    count(*) over (partition by name) = 1 as is_only,
    count(*) over (partition by name, workspace) = 1 as is_only_there,
    row_number() over (order by emv desc nulls last, posts desc, name, workspace, profile_id) as rank
  from emv_groups
  where dimension = 'profile'
),
monthly as (
  select is_current, workspace, profile_id, month, impressions, emv
  from emv_sums
  where dimension = 'profile' and is_monthly
)
select
  case
    when ranked.is_only then ranked.name
    when ranked.is_only_there then ranked.name || ' (' || ranked.workspace || ')'
    else ranked.name || ' (' || ranked.workspace || ', ' || ranked.profile_id || ')'
  end as profile,
  report_months.month,
  shown.emv,
  previous.emv as previous_emv,
  ranked.workspace,
  ranked.profile_id,
  shown.impressions,
  previous.impressions as previous_impressions
from ranked
cross join report_months
left join monthly as shown
  on shown.is_current
  and shown.workspace = ranked.workspace
  and shown.profile_id = ranked.profile_id
  and shown.month = report_months.month
left join monthly as previous
  on not previous.is_current
  and previous.workspace = ranked.workspace
  and previous.profile_id = ranked.profile_id
  and previous.month = report_months.month
where ranked.rank <= 12
order by ranked.rank, report_months.month;
