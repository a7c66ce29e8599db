-- grain: one card of a list
-- key: label
-- reads: removed_months, report_facts
with trends as (
  select
    list(removed_posts::double order by removed_month) as posts_trend,
    list(emv order by removed_month) as emv_trend,
    list(impressions::double order by removed_month) as impressions_trend
  from removed_months
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
from report_facts
cross join trends;
