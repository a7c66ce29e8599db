-- grain: one post behind a cell, or left out of it (why)
-- key: workspace, linkedin_post_id
-- reads: explained_rows
-- parameters: $population, $columns, $values, $figures
--
-- The posts of a row are those that count under its values of its key columns; one that is left out for want of a time
-- may be of any month. population: 'shown', 'previous' (the comparison period) or 'removed'. `first_figure` and
-- `second_figure` are replaced by the columns that the cell adds up, `figures` in number; the second is the lower one of
-- a ratio.
create or replace temp table explained_cell as
select
  workspace,
  linkedin_post_id,
  profile,
  url,
  published_at,
  first_figure as first_amount,
  second_figure as second_amount,
  case
    when filtered_by is not null then filtered_by
    when is_left_out and $population = 'shown' and is_removed then 'deleted in the workspace'
    when is_left_out and $population = 'shown' then 'not deleted'
    when $figures > 0 and first_figure is null then 'first_figure not known'
    when $figures > 1 and second_figure is null then 'second_figure not known'
  end as left_out,
  emv_source,
  sources_until
from explained_rows
where is_current = ($population <> 'previous')
  and (is_removed or $population <> 'removed')
  and coalesce(
    list_bool_and(
      list_transform(
        list_zip($columns::varchar[], $values::varchar[]),
        lambda pair: list_contains(key_values[pair[1]], pair[2])
          or (filtered_by is not distinct from 'no time of publication' and key_values[pair[1]] = [''])
      )
    ),
    true
  );
