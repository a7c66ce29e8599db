-- grain: one source of EMV: cpm (given for every post), api, profile_cpm, (none)
-- key: source
-- reads: report_facts, report_posts
with sources as (
  select
    coalesce(emv_source, '(none)') as source,
    count(*) as posts,
    sum(impression_count) as impressions,
    exact_sum(emv) as emv,
    ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
    min(report_posts.effective_cpm) as lowest_cpm,
    max(report_posts.effective_cpm) as highest_cpm
  from report_posts
  group by all
)
select
  case source
    when 'cpm' then 'the CPM given for this report'
    when 'api' then 'the service'
    when 'profile_cpm' then 'the profile''s CPM'
    else 'no EMV'
  end as origin,
  source,
  sources.posts,
  sources.impressions,
  sources.emv,
  sources.effective_cpm,
  sources.lowest_cpm,
  sources.highest_cpm,
  sources.emv / nullif(report_facts.emv, 0) as emv_share
from sources
cross join report_facts
order by source = '(none)', sources.emv desc nulls last, source;
