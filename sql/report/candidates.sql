-- grain: one LinkedIn post that passes all filters but that of removal, of the period or the one before
-- key: workspace, linkedin_post_id
-- reads: post_performance, report_settings
-- parameters: $timezone, $cpm, $workspaces, $profiles, $campaigns, $labels, $types
create or replace temp table report_candidates as
with filtered as (
  select *
  from post_performance
  where (len($workspaces::varchar[]) = 0 or list_contains($workspaces::varchar[], workspace))
    and (len($profiles::varchar[]) = 0 or list_has_any($profiles::varchar[], [profile_id, profile]))
    and (len($types::varchar[]) = 0 or list_contains($types::varchar[], type))
    and (
      len($campaigns::varchar[]) = 0
      or list_contains($campaigns::varchar[], coalesce(campaign, '(none)'))
    )
    and (
      len($labels::varchar[]) = 0
      or list_has_any($labels::varchar[], case when len(labels) = 0 then ['(none)'] else labels end)
    )
),
priced as (
  select * replace (
    -- multiplied first: 1234 impressions at a CPM of 30 are 37.02, not 37.019999999999996
    case when $cpm::double is null then emv else finite(impression_count * $cpm::double / 1000) end as emv,
    case
      when $cpm::double is null then emv_source
      when impression_count is not null then 'cpm'
    end as emv_source
  )
  from filtered
),
dated as (
  select
    * replace (finite(emv * 1000 / nullif(impression_count, 0)) as effective_cpm),
    timezone($timezone::varchar, published_at) as published_local
  from priced
)
select
  dated.*,
  date_trunc('month', published_local)::date as published_month,
  date_trunc('month', timezone($timezone::varchar, removed_at))::date as removed_month,
  coalesce(published_at > data_as_of - interval 14 days, false) as is_young,
  case
    when period_from is null and period_to is null then true
    else coalesce(
      published_local::date
        between coalesce(period_from, date '-infinity') and coalesce(period_to, date 'infinity'),
      false
    )
  end as is_in_period,
  coalesce(published_local::date between previous_from and previous_to, false) as is_in_previous
from dated
cross join report_settings
where is_in_period or is_in_previous;
