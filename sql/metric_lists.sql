-- grain: one row
-- key: none
-- reads: metrics
--
-- The columns of the interactions; what each priced metric adds to an EMV by `prices`, as a column and in sum; and the
-- names of these columns.
select
  string_agg(metric, ', ' order by position) filter (where is_interaction) as interactions,
  string_agg(metric || ' * prices[''' || price || '''] / ' || per || ' as emv_' || price, ', ' order by position)
    filter (where price is not null) as emv_parts,
  'list_sum([' || string_agg(metric || ' * prices[''' || price || '''] / ' || per, ', ' order by position)
    filter (where price is not null) || '])' as emv_sum,
  string_agg('emv_' || price, ', ' order by position) filter (where price is not null) as emv_columns
from metrics;
