-- grain: days of publication for which the posts of a profile have the same prices
-- key: workspace, profile_id, first_day
-- reads: report_scope
-- parameters: $prices (a JSON array), $prices_name, $priced_by
--
-- In a report at prices of its own, these stand in place of the view of the warehouse (sql/views/emv_prices.sql). Before
-- the first edition nothing is priced: such posts have no EMV, not even that of the API.
create or replace temp table emv_prices as
with given as (
  select (edition ->> 'from')::date as "from", from_json(edition -> 'prices', '"MAP(VARCHAR,DOUBLE)"') as prices
  from (select unnest(from_json($prices::json, '["JSON"]')) as edition)
),
from_ever as (
  from given
  union all
  select null, map([]::varchar[], []::double[])
  where not exists (from given where "from" is null)
)
select
  workspace,
  profile_id,
  coalesce("from", '-infinity') as first_day,
  coalesce(lead("from") over (partition by workspace, profile_id order by "from" nulls first) - 1, 'infinity') as last_day,
  $prices_name::varchar as list,
  $priced_by::varchar as source,
  true as replaces,
  prices
from report_scope
cross join from_ever;
