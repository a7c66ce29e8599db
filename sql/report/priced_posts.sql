-- grain: one post of the period or of the comparison period (report_priced); one such post and one priced metric (report_counts); one metric that a list prices (report_lacking)
-- key: is_current, workspace, linkedin_post_id; is_current, workspace, linkedin_post_id, metric; price
-- reads: emv_prices, metrics, report_posts, report_previous, report_priced, report_counts
-- parameters: none
--
-- The posts of the period and of the comparison period (is_current is false) with the prices that made their EMV.
-- report_lacking: how many of the posts that a price list prices lack a metric that it prices; a CPM alone is no list.
create or replace temp view report_priced as
with posts as (
  select true as is_current, *
  from report_posts
  union all by name
  select false as is_current, *
  from report_previous
)
select posts.*, list, first_day, prices
from posts
left join emv_prices
  on emv_prices.workspace = posts.workspace
  and emv_prices.profile_id = posts.profile_id
  and coalesce(published_local::date, '-infinity') between first_day and last_day
  and emv_source is distinct from 'api';

create or replace temp view report_counts as
with counts as (
  unpivot (
    select is_current, workspace, linkedin_post_id, emv, emv_source, prices, columns('_count$')::double as '\0'
    from report_priced
  )
  on columns('_count$') into name metric value count
)
select counts.* exclude (metric), noun as metric, price as part, position, per, case when emv_source is not null then prices[price] end as price
from counts
join metrics using (metric)
where price is not null;

create or replace temp table report_lacking as
with priced as (
  select workspace, linkedin_post_id, unnest(map_keys(prices)) as price
  from report_priced
  where is_current
    and len(getvariable('_listed_prices')) > 0
    and list is not null
    and (emv_source is null or emv_source = 'prices')
),
counted as (
  select workspace, linkedin_post_id, part as price, true as is_known
  from report_counts
  where is_current and len(getvariable('_listed_prices')) > 0
)
select price, any_value(noun) as metric, any_value(position) as position, count(*) as priced, count(*) - count(is_known) as posts
from priced
join metrics using (price)
left join counted using (workspace, linkedin_post_id, price)
group by price;

-- What stands under a ranking by EMV, of a row of report_lacking.
create or replace temp macro lacking_text() as
  '{lacking:count} of {priced|one priced post|# priced posts} {lacking|has|have} no known {metric:phrase}, which are priced: {lacking|its|their} EMV is made of the rest.';
