-- grain: one card of a list
-- key: label
-- reads: report_removed, removed_sums, removed_total
with months as (
  select unnest(months) as removed_month
  from removed_total
),
trends as (
  select
    list(coalesce(removed_posts, 0)::double order by removed_month) as posts_trend,
    list(emv order by removed_month) as emv_trend,
    list(impressions::double order by removed_month) as impressions_trend
  from months
  left join (from removed_sums where level = 'month') using (removed_month)
),
origins as (
  select count(distinct (workspace, profile_id)) as profiles
  from report_removed
)
select
  unnest(
    [
      {
        'label': 'Removed posts', 'format': 'count', 'value': removed_posts, 'trend': posts_trend,
        'cell': 'summary.removed_posts'
      },
      {'label': 'Profiles', 'format': 'count', 'value': profiles, 'trend': null, 'cell': 'summary.profiles'},
      {'label': 'EMV removed', 'format': 'money', 'value': emv, 'trend': emv_trend, 'cell': 'summary.emv'},
      {'label': 'Share of all EMV', 'format': 'share', 'value': emv_share, 'trend': null, 'cell': 'summary.emv_share'},
      {
        'label': 'Impressions', 'format': 'count', 'value': impressions, 'trend': impressions_trend,
        'cell': 'summary.impressions'
      }
    ],
    recursive := true
  )
from removed_sums
cross join trends
cross join origins
where level = 'all';
