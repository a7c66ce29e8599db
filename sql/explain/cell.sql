-- grain: one post behind a cell, or left out of it (why)
-- key: workspace, linkedin_post_id
-- reads: explained_posts
-- parameters: $population, $columns, $values, $figures
--
-- The posts of a row are those that count under its values of its key columns. population: 'shown', 'previous' (the
-- comparison period) or 'removed'. `first_figure` and `second_figure` are replaced by the columns that the cell adds
-- up; the second is the lower one of a ratio, or else null.
create or replace temp table explained_cell as
with behind as (
  select *, first_figure as first_amount, second_figure as second_amount
  from explained_posts
  where coalesce(
      list_bool_and(
        list_transform(
          list_zip($columns::varchar[], $values::varchar[]), lambda place: list_contains(places[place[1]], place[2])
        )
      ),
      true
    )
    and is_current = ($population <> 'previous')
    and (is_removed or $population <> 'removed')
)
select
  workspace,
  profile,
  linkedin_post_id,
  url,
  published_at,
  emv_source,
  sources_until,
  first_amount,
  second_amount,
  case
    when is_left_out and $population = 'shown' and is_removed then 'deleted in the workspace'
    when is_left_out and $population = 'shown' then 'not deleted'
    when ($figures > 0 and first_amount is null) or ($figures > 1 and second_amount is null) then 'not known'
  end as why
from behind;
