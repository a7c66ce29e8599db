-- grain: one price list of profiles, its edition and one metric that it prices (report_price_lists); one part of EMV in a period (report_parts); one post of the period that a list prices (report_repriced)
-- key: list, first_day, source, price, metric; is_current, part; workspace, linkedin_post_id
-- reads: emv_prices, metrics, report_settings, report_counts, report_priced, report_repriced
-- parameters: $emv_sum, $previous_to
--
-- What the EMV of the posts of the period and of the comparison period (is_current is false) is made of. report_price_lists:
-- the prices that made it. report_parts: by metric, or `api` for what the service gave: price is that of the list where all
-- posts have the same, else emv / count; counted is the count of all posts, those of which the service gave the EMV
-- included, and cpm the price of their impressions together. report_repriced: EMV, and what it would be at the prices that
-- held on the last day of the comparison period.
create or replace temp table report_price_lists as
with used as (
  select list, first_day, emv_source as source, prices
  from report_priced
  where emv_source in ('cpm', 'profile_cpm', 'prices')
  group by all
)
select
  list,
  nullif(first_day, '-infinity') as first_day,
  source,
  prices,
  noun as metric,
  position,
  entry.value as price,
  per
from (select *, unnest(map_entries(prices)) as entry from used) as used
join metrics on metrics.price = entry.key;

create or replace temp table report_parts as
with parts as (
  select
    is_current,
    part,
    position,
    per,
    count,
    price,
    count * price / per as amount,
    part = 'impressions' and emv_source = 'api' as is_given,
    emv
  from report_counts
  union all by name
  select is_current, 'api' as part, 1000 as position, 1 as count, emv as amount, false as is_given
  from report_priced
  where emv_source = 'api'
)
select
  is_current,
  part,
  any_value(position) as position,
  any_value(per) as per,
  sum(case when amount is not null then count end)::hugeint as count,
  case
    when min(price) = max(price) then min(price)
    else exact_sum(amount) * coalesce(any_value(per), 1) / nullif(sum(case when amount is not null then count end), 0)
  end as price,
  exact_sum(amount) as emv,
  sum(case when part <> 'api' then count end)::hugeint as counted,
  case
    when bool_or(is_given)
      then exact_sum(case when is_given then emv else amount end) * 1000
        / nullif(sum(case when is_given or amount is not null then count end), 0)
  end as cpm
from parts
group by is_current, part;

create or replace temp table report_repriced as
with earlier as (
  select workspace, profile_id, prices
  from emv_prices
  where source = 'prices' and $previous_to::date between first_day and last_day
),
posts as (
  select priced.* exclude (prices), earlier.prices
  from report_priced as priced
  join earlier using (workspace, profile_id)
  where is_current and emv_source = 'prices'
)
select workspace, linkedin_post_id, emv, finite($emv_sum) as emv_before
from posts;

-- How much other prices have changed EMV; null where no list prices it.
create or replace temp macro price_part() as (
  select case when len(getvariable('_listed_prices')) > 0 then coalesce(exact_sum(emv - coalesce(emv_before, emv)), 0) end
  from report_repriced
);

-- The change of a sum between two periods of n posts taken apart, to the cent: by the number of posts, by their prices, and by
-- the rest that each brought.
create or replace temp macro parts_of_change(n, n_before, now, before, of_prices) as [
  {'name': 'posts', 'part': round((n - n_before) * before / n_before, 2)},
  {'name': 'prices', 'part': round(of_prices, 2)},
  {
    'name': 'per_post',
    'part': round(
      round(now - before, 2) - round((n - n_before) * before / n_before, 2) - round(coalesce(of_prices, 0), 2), 2
    )
  }
];

-- The first day of the period on which a price list has other prices than before.
create or replace temp macro prices_changed_on() as (
  select min(first_day)
  from emv_prices
  cross join report_settings
  where source = 'prices' and first_day > period_from and first_day <= period_to
);
