-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_posts, report_removed, report_settings
-- parameters: none
with posts as (
  select
    count(*) filter (where emv_source = 'api') as by_api,
    count(*) filter (where emv_source = 'profile_cpm') as by_profile_cpm,
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where published_at is null) as without_time,
    count(*) filter (
      where least(like_count, comment_count, share_count, click_count, save_count, send_count,
        impression_count) < 0
    ) as negative
  from report_posts
),
removed as (
  select count(*) as posts, count(emv) as posts_with_emv, exact_sum(emv) as emv
  from report_removed
),
facts as (
  select
    1 as position,
    'Every post is priced at a CPM of {amount:cpm}, whatever the service says.' as text,
    null::bigint as n,
    cpm as amount
  from report_settings
  where cpm is not null
  union all
  select
    2,
    case
      when by_api = 0 then 'EMV by the CPM of the profiles: the service gave none.'
      else 'EMV of {n:count} by the CPM of their profile: the service gave none.'
    end,
    by_profile_cpm,
    null
  from posts
  where by_profile_cpm > 0
  union all
  select
    3,
    case when without_emv = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no EMV: the service gave none, nor what it could be computed from. Not counted as 0.',
    without_emv,
    null
  from posts
  where without_emv > 0
  union all
  select
    4,
    case when report_settings.removed = 'only' then 'Only the ' else '' end
      || case
        when removed.posts = 1 then '{n:count} post that was removed is'
        else '{n:count} posts that were removed are'
      end
      || case when report_settings.removed = 'exclude' then ' left out; ' else ' counted here; ' end
      || case when removed.posts = 1 then 'its EMV' else 'their EMV' end
      || case
        when removed.emv is null then ' is not known.'
        when posts_with_emv < removed.posts then ' is {amount:money_exact}, as far as it is known.'
        else ' is {amount:money_exact}.'
      end,
    removed.posts,
    removed.emv
  from removed
  cross join report_settings
  where removed.posts > 0
  union all
  select
    5,
    case when without_time = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no time of publication: counted here and under an empty month.',
    without_time,
    null
  from posts
  where without_time > 0
  union all
  select
    6,
    case when negative = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' a negative count (an undone reaction). Kept as given.',
    negative,
    null
  from posts
  where negative > 0
)
select text, n, amount
from facts
order by position;
