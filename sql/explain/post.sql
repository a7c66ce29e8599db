-- grain: one post of this id or address that passes all filters except --removed
-- key: workspace, linkedin_post_id
-- reads: emv_prices, linkedin_posts, report_all
-- parameters: $post
--
-- A record that is superseded names the post that supersedes it.
-- cpm: what a thousand impressions cost by its EMV, where that is made of them alone. prices: what it is made of, as JSON.
create or replace temp table explained_cell as
with named as (
  select workspace, coalesce(superseded_by, linkedin_post_id) as linkedin_post_id
  from linkedin_posts
  where linkedin_post_id = $post
    or address_of(url) = address_of($post)
    or rtrim(regexp_extract(url, '^[^?#]*'), '/') = rtrim(regexp_extract($post, '^[^?#]*'), '/')
)
select
  report_all.*,
  case
    when emv_source = 'api' then effective_cpm
    when emv_source = source and map_keys(prices) = ['impressions'] then prices['impressions']
  end as cpm,
  case when emv_source = source then to_json(prices) end as prices
from report_all
semi join named using (workspace, linkedin_post_id)
left join emv_prices
  on emv_prices.workspace = report_all.workspace
  and emv_prices.profile_id = report_all.profile_id
  and coalesce(published_local::date, '-infinity') between first_day and last_day;
