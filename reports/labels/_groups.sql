-- grain: one group, and one group in one month (label_sums); one group of the report (label_groups)
-- key: is_current, dimension, name, is_monthly, month; dimension, name
create or replace temp table label_sums as
select *
from sums_by('posts', ['all', 'labelled', 'label']);

create or replace temp table label_groups as
select *
from groups_of('label_sums', 'emv');
