-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_totals, report_posts, report_settings
with unseen as (
  select count(*) as n, exact_sum(emv) as emv
  from report_posts
  where emv is not null and impression_count is null
),
facts as (
  select
    1 as position,
    'No low and high CPM are configured (cpm_band in jobs.yaml), so only the CPM used is shown.' as text,
    null::bigint as n,
    null::double as emv
  from emv_totals
  cross join report_settings
  where is_current and posts > 0 and (cpm_low is null or cpm_high is null)
  union all
  select
    2,
    '{n:count} {n|post has|posts have} EMV but no impressions: {emv:money_exact} without a CPM.',
    n,
    emv
  from unseen
  where n > 0
)
select text, n, emv
from facts
order by position;
