-- grain: one group, and one group in one month (engagement_sums); one group of the report (engagement_groups); one group and kind of profile (engagement_kinds)
-- key: is_current, dimension, workspace, profile_id, name, is_monthly, month; dimension, workspace, profile_id, name; dimension, name, kind
create or replace temp table engagement_sums as
select *
from sums_by('posts', ['all', 'weekly', 'profile', 'type', 'campaign', 'label', 'format', 'channels']);

create or replace temp table engagement_groups as
select *
from groups_of('engagement_sums', 'engagement_rate');

create or replace temp table engagement_kinds as
select *
from compared_by_kind(
  ['profile', 'type', 'campaign', 'label', 'format', 'channels', 'grain', 'half', 'slot'], 'engagement_rate'
);
