-- grain: one label and kind of profile (label_rates, label_emvs, label_impressions); one period and whether with labels only (label_totals); one label, compared with the posts without it (label_lifts)
-- key: dimension, name, kind; is_current, dimension; label
create or replace temp table label_totals as
select * replace ('all' as dimension)
from totals_of('label_sums', 'all')
union all
select * replace ('labelled' as dimension)
from totals_of('label_sums', 'labelled');

create or replace temp table label_rates as
select *
from compared_by_kind(['label'], 'rate');

create or replace temp table label_emvs as
select *
from compared_by_kind(['label'], 'emv');

create or replace temp table label_impressions as
select *
from compared_by_kind(['label'], 'impressions');

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
from compared_of('label_rates', 'label', 1) as rates
full join compared_of('label_emvs', 'label', 1) as emvs using (name)
full join compared_of('label_impressions', 'label', 1) as impressions using (name);
