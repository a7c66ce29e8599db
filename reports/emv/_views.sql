-- grain: one post with EMV (emv_ranks, emv_stretches); one metric that a price list prices (emv_lacking)
-- key: workspace, linkedin_post_id; price
-- reads: emv_prices, metrics, report_posts
create or replace temp table emv_ranks as
select
  workspace,
  linkedin_post_id,
  emv,
  row_number() over (
    order by emv desc, impression_count desc nulls last, published_at nulls last, workspace, linkedin_post_id
  ) as rank,
  -- if an EMV is negative, parts can exceed the whole
  min(emv) over () >= 0 as are_parts
from report_posts
where emv is not null;

-- The stretches of the ranks, and what they are called.
create or replace temp table emv_stretches as
with placed as (
  select *, case when rank = 1 then 1 when rank <= 10 then 2 when rank <= 50 then 3 else 4 end as position
  from emv_ranks
)
select
  *,
  case
    when position = 1 then 'top 1'
    when position = 4 then 'others'
    when count(*) over stretch = 1 then rank::varchar
    else min(rank) over stretch || '–' || max(rank) over stretch
  end as ranks
from placed
window stretch as (partition by position);

-- How many of the posts that a price list prices lack each metric that it prices. A CPM alone is no list.
create or replace temp table emv_lacking as
with priced as (
  select posts.workspace, linkedin_post_id, unnest(map_keys(prices)) as price
  from report_posts as posts
  join emv_prices
    on emv_prices.workspace = posts.workspace
    and emv_prices.profile_id = posts.profile_id
    and coalesce(published_local::date, '-infinity') between first_day and last_day
  where source = 'prices' and (emv_source is null or emv_source = 'prices')
),
counted as (
  unpivot (select workspace, linkedin_post_id, columns('_count$')::double as '\0' from report_posts)
  on columns(* exclude (workspace, linkedin_post_id)) into name metric value count
)
select price, count(*) - count(count) as posts
from priced
join metrics using (price)
left join counted using (workspace, linkedin_post_id, metric)
group by price;
