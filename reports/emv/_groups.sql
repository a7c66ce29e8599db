-- grain: one group, and one group in one month (emv_sums); one group of the report (emv_groups)
-- key: is_current, dimension, workspace, profile_id, name, is_monthly, month; dimension, workspace, profile_id, name
create or replace temp table emv_sums as
select *
from sums_by('posts', ['all', 'profile', 'type', 'campaign', 'label']);

create or replace temp table emv_groups as
select *
from groups_of('emv_sums', 'emv');
