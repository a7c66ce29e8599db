-- grain: one fact about what the figures rest on, in the page's order
-- key: text
-- reads: campaign_list, campaign_posts, campaign_totals, report_posts, report_removed, report_settings
-- parameters: none
with posts as (
  select
    count(*) as posts,
    count(*) filter (where type = 'Video' and views is null) as videos_not_synced,
    count(*) filter (where impression_count is null) as without_impressions,
    count(*) filter (where is_young) as young
  from campaign_posts
  where is_current
),
others as (
  select count(*) as posts
  from report_posts
  where campaign is null
),
removed as (
  select count(*) as posts, exact_sum(emv) as emv
  from report_removed
  where campaign is not null
),
missed as (
  select count(*) as n
  from campaign_list
  where posts = 0
),
facts as (
  select
    1 as position,
    case when posts = 1 then '{n:count} post' else '{n:count} posts' end
      || ' in ' || case when campaigns = 1 then '{m:count} campaign' else '{m:count} campaigns' end as text,
    posts as n,
    campaigns as m,
    null::double as emv
  from campaign_totals
  where is_current
  union all
  select 2, '{n:count} without a campaign left out', posts, null, null
  from others
  where posts > 0
  union all
  select
    3,
    case when n = 1 then '{n:count} campaign without posts' else '{n:count} campaigns without posts' end,
    n,
    null,
    null
  from missed
  where n > 0
  union all
  select
    4,
    case when videos_not_synced = 1 then '{n:count} video not synced' else '{n:count} videos not synced' end,
    videos_not_synced,
    null,
    null
  from posts
  where videos_not_synced > 0
  union all
  select
    5,
    case
      when report_settings.removed <> 'exclude' then '{n:count} removed, shown'
      when removed.emv is null then '{n:count} removed, left out'
      else '{n:count} removed, {emv:money_exact} left out'
    end,
    removed.posts,
    null,
    removed.emv
  from removed
  cross join report_settings
  where removed.posts > 0
  union all
  select 6, '{n:count} without impressions', without_impressions, null, null
  from posts
  where without_impressions > 0
  union all
  select 7, '{n:count} not final, younger than 14 days', young, null, null
  from posts
  where young > 0
)
select text, n, m, emv
from facts
order by position;
