-- grain: one row: what the posts behind a cell add up to
-- reads: explained_cell, explained_rows
-- parameters: $times
--
-- `sum_of` is replaced by the sum that the reports use for the type of the column, `first_figure` by the column.
select
  sum_of(first_amount) as first,
  exact_sum(second_amount) as second,
  ratio_of_sums(first_amount, second_amount) * $times::double as ratio,
  (select sum_of(first_figure) from explained_rows where is_current and not is_left_out) as whole
from explained_cell
where left_out is null;
