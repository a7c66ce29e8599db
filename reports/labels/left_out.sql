-- grain: one kind of posts that the figures leave out, or that may still change, or need a word
-- key: what
-- reads: report_all, report_posts, report_previous, report_removed, report_settings
-- parameters: none
with kinds as (
  select
    1 as position,
    'Without a label' as what,
    count(*) as posts,
    exact_sum(emv) as emv,
    sum(impression_count) as impressions,
    true as is_counted,
    'They stand under (none), and among the posts that a label is compared with.' as why
  from report_posts
  where len(labels) = 0
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
  union all
  select 3, 'Posts not removed', count(*), exact_sum(emv), sum(impression_count), false, 'Only removed posts were asked for.'
  from report_all
  cross join report_settings
  where report_settings.removed = 'only' and not is_removed
  union all
  select
    4,
    'Without an engagement rate',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    false,
    'Engagements or impressions are not known. Left out of rates, lift and factor.'
  from report_posts
  where engagements is null or impression_count is null
  union all
  select
    5,
    'With 0 impressions',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'They have no rate of their own. Not among the posts that a comparison needs.'
  from report_posts
  where engagements is not null and impression_count = 0
  union all
  select
    6,
    'Without EMV',
    count(*),
    null,
    null,
    false,
    'Neither the service''s EMV nor what it could be computed from is known. Left out of EMV, not counted as 0.'
  from report_posts
  where emv is null
  union all
  select
    7,
    'Negative count',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'A count below 0, as an undone reaction can leave it. Kept as the service gives it.'
  from report_posts
  where least(like_count, comment_count, share_count, click_count, save_count, send_count, impression_count) < 0
  union all
  select
    8,
    'Not final',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'Counted, but younger than 14 days at the last reading: LinkedIn still adds to them.'
  from report_posts
  where is_young
  union all
  select
    9,
    'Without a time',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'No time of publication is known. Counted in the tables, under no month.'
  from report_posts
  where published_at is null
  union all
  select
    10,
    'Compared at equal age',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    false,
    'Posts of the period compared with, with the figures they had at the age that these posts have now.'
  from report_previous
  cross join report_settings
  where report_settings.is_equal_age
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
  select 11, 'Nothing', 0, null, null, null, 'Every post has a label, a rate and EMV, and is at least 14 days old.'
  from (select count(*) as posts from report_posts) as shown
  where shown.posts > 0 and not exists (select 1 from found)
)
select what, posts, emv, is_counted, why, impressions
from listed
order by position;
