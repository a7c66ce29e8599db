-- grain: one group, and one group in one month (video_sums); one group of the report (video_groups)
-- key: is_current, dimension, workspace, profile_id, name, is_monthly, month; dimension, workspace, profile_id, name
create or replace temp table video_sums as
select *
from sums_by('videos', ['all', 'kind', 'profile', 'campaign', 'label', 'length']);

create or replace temp table video_groups as
select *
from groups_of('video_sums', 'views');
