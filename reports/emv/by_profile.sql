-- grain: one profile of one workspace
-- key: workspace, profile_id
select
  name as profile,
  workspace,
  kind,
  * exclude (name, workspace, profile_id, kind, trend, interactions),
  profile_id,
  trend,
  interactions
from emv_by('profile')
order by emv desc nulls last, interactions desc nulls last, posts desc, profile, workspace, profile_id;
