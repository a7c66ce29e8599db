-- grain: one row: all posts of the report (removed_total); one group of posts with removed ones among them, or all of them (removed_groups); one month from the first to the last with a removal (removed_months)
-- key: none; dimension, name, workspace, profile_id, is_automatic; removed_month
-- reads: report_all
--
-- removed_groups has the sums of the removed posts of each group: by month of removal, profile, campaign and person. A
-- trend is their number by month of removal.
create or replace temp view removed_total as
select
  count(*) as posts_total,
  exact_sum(emv) as emv_total,
  min(emv) as least_emv,
  list_transform(
    generate_series(
      min(removed_month) filter (where is_removed),
      max(removed_month) filter (where is_removed),
      interval 1 month
    ),
    lambda month: month::date
  ) as months
from report_all;

create or replace temp table removed_groups as
with named as (
  select * replace (coalesce(campaign, '(none)') as campaign)
  from report_all
),
groups as (
  select
    case grouping(removed_month, workspace, campaign, removed_by)
      when 7 then 'month'
      when 11 then 'profile'
      when 13 then 'campaign'
      when 14 then 'person'
      else 'all'
    end as dimension,
    case dimension
      when 'month' then removed_month::varchar
      when 'profile' then coalesce(any_value(profile), profile_id)
      when 'campaign' then campaign
      when 'person' then coalesce(removed_by, '(automatic)')
    end as name,
    workspace,
    profile_id,
    case dimension when 'person' then removed_by is null end as is_automatic,
    count(*) filter (where is_removed) as removed_posts,
    count(*) as posts_total,
    sum(impression_count) filter (where is_removed) as impressions,
    exact_sum(case when is_removed then engagements end) as engagements,
    exact_sum(case when is_removed then emv end) as emv,
    max(case when is_removed then emv end) as largest_emv,
    ratio_of_sums(case when is_removed then emv end, impression_count) * 1000 as effective_cpm,
    min(case when is_removed then removed_at end) as first_removed_at,
    max(case when is_removed then removed_at end) as last_removed_at,
    list(removed_month) filter (where is_removed) as months
  from named
  group by grouping sets ((removed_month), (workspace, profile_id), (campaign), (removed_by), ())
)
select
  groups.* exclude (months),
  removed_posts as posts,
  groups.emv / nullif(removed_total.emv_total, 0) as emv_share,
  case
    when groups.dimension <> 'all' and len(removed_total.months) >= 2
      then list_transform(
        removed_total.months,
        lambda month: len(list_filter(groups.months, lambda own: own = month))::double
      )
  end as trend
from groups
cross join removed_total
where groups.removed_posts > 0 or groups.dimension = 'all';

-- The group whose posts had earned the most, if there is one. leads: clearly, also without its largest post. earning: the
-- groups with EMV.
create or replace temp macro removed_leader(which) as table
select
  name,
  posts,
  emv,
  count(*) over () as groups,
  count(*) filter (where emv > 0) over () as earning,
  is_clearly_more(emv - largest_emv, coalesce(lead(emv) over (order by emv desc nulls last), 0), 'emv') as leads
from removed_groups
where dimension = which and name <> '(none)'
qualify row_number() over (order by emv desc nulls last) = 1;

create or replace temp view removed_months as
select removed_month, groups.* replace (coalesce(removed_posts, 0) as removed_posts)
from (select unnest(months) as removed_month from removed_total)
left join (from removed_groups where dimension = 'month') as groups on groups.name = removed_month::varchar;
