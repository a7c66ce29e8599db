-- grain: one kind of posts that the figures of campaigns leave out, or that may still change, or need a word
-- key: what
-- reads: campaign_posts, report_all, report_posts, report_previous, report_removed, report_settings
-- parameters: none
with kinds as (
  select
    1 as position,
    'Without a campaign' as what,
    count(*) as posts,
    exact_sum(emv) as emv,
    sum(impression_count) as impressions,
    false as is_counted,
    'They belong to no campaign. Their EMV is in the whole that shares are of.' as why
  from report_posts
  where campaign is null
  union all
  select
    2,
    'Removed posts',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    any_value(report_settings.removed) <> 'exclude',
    case any_value(report_settings.removed)
      when 'exclude' then 'They were removed. Left out of every figure.'
      when 'include' then 'They were removed. Counted here, because removed posts were asked for.'
      else 'They were removed. Only they are counted here.'
    end
  from report_removed
  cross join report_settings
  where campaign is not null
  union all
  select 3, 'Posts not removed', count(*), exact_sum(emv), sum(impression_count), false, 'Only removed posts were asked for.'
  from report_all
  cross join report_settings
  where report_settings.removed = 'only' and not is_removed and campaign is not null
  union all
  select
    4,
    'Outside the dates',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'Published before the first or after the last day of the campaign. Counted all the same.'
  from campaign_posts
  where is_current and is_outside_dates
  union all
  select
    5,
    'EMV without impressions',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'The service gave EMV and no impressions. In the EMV, in no CPM.'
  from campaign_posts
  where is_current and impression_count is null and emv is not null
  union all
  select
    6,
    'Without EMV',
    count(*),
    null,
    null,
    false,
    'Neither the service''s EMV nor what it could be computed from is known. They count as posts.'
  from campaign_posts
  where is_current and emv is null
  union all
  select
    7,
    'Videos not synced',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'The service gave no views of them. They count as videos, not as 0 views.'
  from campaign_posts
  where is_current and type = 'Video' and views is null
  union all
  select
    8,
    'Negative count',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'A count below 0, as an undone reaction can leave it. Kept as the service gives it.'
  from campaign_posts
  where is_current
    and least(like_count, comment_count, share_count, click_count, save_count, send_count, impression_count) < 0
  union all
  select
    9,
    'Not final',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'Counted, but younger than 14 days at the last reading: LinkedIn still adds to them.'
  from campaign_posts
  where is_current and is_young
  union all
  select
    10,
    'Without a time',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'No time of publication is known. Counted in the tables, on no line and under no month.'
  from campaign_posts
  where is_current and published_at is null
  union all
  select
    11,
    'Compared at equal age',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    false,
    'Posts of the period compared with, with the figures they had at the age that these posts have now.'
  from report_previous
  cross join report_settings
  where report_settings.is_equal_age and campaign is not null
),
found as (
  select *
  from kinds
  where posts > 0
),
listed as (
  select *
  from found
  union all
  -- that nothing was left out is worth a row, too
  select 12, 'Nothing', 0, null, null, null, 'Every post has a campaign, impressions and EMV, and is at least 14 days old.'
  from (select count(*) as posts from report_posts) as shown
  where shown.posts > 0 and not exists (select 1 from found)
)
select what, posts, emv, is_counted, why, impressions
from listed
order by position;
