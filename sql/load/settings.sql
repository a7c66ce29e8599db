-- grain: the warehouse; one price of a list
-- key: none; list, from_date, metric
-- reads: none
-- parameters: $timezone, $profiles, $slugs, $prices, $figures (JSON)
delete from load_settings;

insert into load_settings
values ($timezone, $profiles, $slugs, $prices, $figures);

delete from prices;

insert into prices
from rows_of($prices, '[{"list": "VARCHAR", "from_date": "DATE", "metric": "VARCHAR", "price": "DOUBLE"}]');
