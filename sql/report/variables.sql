-- grain: none, variables
-- reads: emv_prices, fitting_grain, unplaced_posts, unreadable_posts, unreadable_reads
--
-- Which figures are left out of comparisons since they could not be read (unreadable.sql), and the grain of time that fits
-- the posts: a macro would look at them wherever a query names a grain.
set variable _unreadable_reads = coalesce(
  (
    select map_from_entries(list((field, figures)))
    from unreadable_reads
    where exists (from unreadable_posts)
  ),
  map([]::varchar[], []::varchar[])
);
set variable _unplaced = coalesce((select list(what) from unplaced_posts where exists (from unreadable_posts)), []::varchar[]);
set variable _fitting_grain = fitting_grain();

-- what the price lists of the report's profiles, or its own one, price
set variable _listed_prices = (
  select coalesce(list_distinct(flatten(list(map_keys(prices)))), []) from emv_prices where source = 'prices'
);
