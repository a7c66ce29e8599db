-- grain: one profile of one workspace
-- key: workspace, profile_id
-- reads: quality_profiles
from quality_profiles
order by days_behind desc nulls first, gap_days desc, profile, workspace, profile_id;
