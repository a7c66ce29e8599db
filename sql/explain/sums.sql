-- grain: one row: what the posts behind a cell add up to
-- reads: explained_cell, explained_posts
-- parameters: $times
--
-- `sum_of` is replaced by the sum that the reports use for the type of the column, `first_figure` by the column.
select
  (select sum_of(first_amount) from explained_cell where why is null) as first_sum,
  (select exact_sum(second_amount) from explained_cell where why is null) as second_sum,
  (select ratio_of_sums(first_amount, second_amount) * $times::double from explained_cell where why is null) as ratio,
  (select sum_of(first_figure) from explained_posts where is_current and not is_left_out) as whole;
