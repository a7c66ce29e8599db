-- grain: one group, and one group in one month (label_sums); one group of the report (label_groups); one period and whether with labels only (label_totals); one label, compared with the posts without it (label_lifts)
-- key: is_current, dimension, name, is_monthly, month; dimension, name; is_current, dimension; label
create or replace temp table label_sums as
select *
from sums_by('posts', ['all', 'labelled', 'label']);

create or replace temp table label_groups as
select *
from groups_of('label_sums', 'emv');

create or replace temp table label_totals as
select * replace ('all' as dimension)
from totals_of('label_sums', 'all')
union all
select * replace ('labelled' as dimension)
from totals_of('label_sums', 'labelled');

-- One row for each label: its posts beside the same posts at the figures of the others, with pages and members each at
-- the figures of their own kind.
create or replace temp table label_lifts as
select
  name as label,
  rates.posts_without as rated_posts_without,
  rates.ratio_without as rate_without,
  rates.is_clear,
  emvs.posts_without as posts_with_emv_without,
  emvs.ratio_without as emv_per_post_without,
  impressions.posts_without as posts_with_impressions_without,
  impressions.ratio_without as impressions_per_post_without
from compared('label', 'rate', 1) as rates
full join compared('label', 'emv', 1) as emvs using (name)
full join compared('label', 'impressions', 1) as impressions using (name);
