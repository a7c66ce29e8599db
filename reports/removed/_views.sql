-- grain: one row: all posts of the report (removed_total); one group of posts with removed ones among them, or all of them (removed_sums)
-- key: none; level, removed_month, workspace, profile_id, campaign, removed_by
-- reads: report_all
--
-- removed_sums has the sums of the removed posts of each group: by month of removal, profile, campaign and person, and
-- of all, according to level. A trend is their number by month of removal, from the first month to the last of all.
create or replace temp view removed_total as
with bounds as (
  select
    count(*) as posts_total,
    exact_sum(emv) as emv_total,
    min(case when is_removed then removed_month end) as first_month,
    max(case when is_removed then removed_month end) as last_month
  from report_all
)
select
  posts_total,
  emv_total,
  list_transform(
    generate_series(first_month, last_month, interval 1 month),
    lambda month: month::date
  ) as months
from bounds;

create or replace temp view removed_sums as
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
    end as level,
    removed_month,
    workspace,
    profile_id,
    campaign,
    removed_by,
    any_value(profile) as profile,
    count(*) filter (where is_removed) as removed_posts,
    count(*) as posts_total,
    sum(impression_count) filter (where is_removed) as impressions,
    exact_sum(case when is_removed then engagements end) as engagements,
    exact_sum(case when is_removed then emv end) as emv,
    ratio_of_sums(case when is_removed then emv end, impression_count) * 1000 as effective_cpm,
    min(case when is_removed then removed_at end) as first_removed_at,
    max(case when is_removed then removed_at end) as last_removed_at,
    list(removed_month) filter (where is_removed) as months
  from named
  group by grouping sets ((removed_month), (workspace, profile_id), (campaign), (removed_by), ())
)
select
  groups.* exclude (months),
  groups.emv / nullif(removed_total.emv_total, 0) as emv_share,
  case
    when len(removed_total.months) >= 2
      then list_transform(
        removed_total.months,
        lambda month: len(list_filter(groups.months, lambda own: own = month))::double
      )
  end as trend
from groups
cross join removed_total
where groups.removed_posts > 0 or groups.level = 'all';
