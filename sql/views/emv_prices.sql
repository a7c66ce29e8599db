-- grain: days of publication for which the posts of a profile have the same prices
-- key: workspace, profile_id, first_day
-- reads: prices, profiles
--
-- list: the name of the price list; null for a CPM. Prices that hold from ever begin at '-infinity', so that posts without a day have them, too. prices: by metric, for each,
-- or for a thousand impressions. replaces: they price posts to which the API gives EMV, too, as in a report at prices of
-- its own.
create or replace view emv_prices as
with editions as (
  select list, from_date, map_from_entries(list((metric, price))) as prices
  from prices
  group by list, from_date
)
select
  workspace,
  profile_id,
  date '-infinity' as first_day,
  date 'infinity' as last_day,
  null::varchar as list,
  'profile_cpm' as source,
  false as replaces,
  map {'impressions': cpm} as prices
from profiles
where cpm is not null
union all
select
  workspace,
  profile_id,
  coalesce(from_date, '-infinity'),
  coalesce(lead(from_date) over (partition by workspace, profile_id order by from_date nulls first) - 1, 'infinity'),
  list,
  'prices',
  false,
  editions.prices
from profiles
join editions on list = profiles.prices;
