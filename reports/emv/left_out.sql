-- grain: one kind of posts that the totals leave out, or that may still change, or need a word
-- key: what
-- reads: report_all, report_posts, report_previous, report_removed, report_settings
-- parameters: none
with kinds as (
  select
    1 as position,
    'Removed posts' as what,
    count(*) as posts,
    exact_sum(emv) as emv,
    sum(impression_count) as impressions,
    any_value(report_settings.removed) <> 'exclude' as is_counted,
    case any_value(report_settings.removed)
      when 'exclude' then 'They were removed. Left out of every figure, those of the period before too.'
      when 'include' then 'They were removed. Counted here, because removed posts were asked for.'
      else 'They were removed. Only they are counted here.'
    end as why
  from report_removed
  cross join report_settings
  union all
  select
    2,
    'Posts not removed',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    false,
    'Only removed posts were asked for.'
  from report_all
  cross join report_settings
  where report_settings.removed = 'only' and not is_removed
  union all
  select
    3,
    'EMV without impressions',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'The service gave EMV and no impressions. In the EMV, in no CPM.'
  from report_posts
  where impression_count is null and emv is not null
  union all
  select
    4,
    'Without EMV',
    count(*),
    null,
    null,
    false,
    'Neither the service''s EMV nor what it could be computed from is known. They count as posts.'
  from report_posts
  where emv is null
  union all
  select
    5,
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
    6,
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
    7,
    'Without a time',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    true,
    'No time of publication is known. Counted in the totals, under an empty month.'
  from report_posts
  where published_at is null
  union all
  select
    8,
    'Compared at equal age',
    count(*),
    exact_sum(emv),
    sum(impression_count),
    false,
    'Posts of the period compared with, with the figures they had at the age that these posts have now.'
  from report_previous
  cross join report_settings
  where report_settings.is_equal_age
  group by all
),
found as (
  select *
  from kinds
  where posts > 0
)
select what, posts, emv, is_counted, why, impressions
from (
  select *
  from found
  union all
  -- that nothing was left out is worth a row, too
  select 9, 'Nothing', 0, null, null, null, 'Every post has impressions and EMV, and is at least 14 days old.'
  from (select count(*) as posts from report_posts) as shown
  where shown.posts > 0 and not exists (select 1 from found)
) as listed
order by position;
