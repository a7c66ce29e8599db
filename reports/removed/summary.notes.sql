-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_removed, report_settings, report_unlinked_removals
-- parameters: none
with removed as (
  select
    count(*) as posts,
    count(*) filter (where emv_source = 'profile_cpm') as by_profile_cpm,
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where published_at is null) as without_time,
    count(*) filter (where removed_at < published_at) as before_publication,
    count(*) filter (
      where least(like_count, comment_count, share_count, click_count, save_count, send_count,
        impression_count) < 0
    ) as negative
  from report_removed
),
unlinked as (
  select count(*) as posts
  from report_unlinked_removals
),
facts as (
  select
    1 as position,
    case report_settings.removed
      when 'exclude' then 'Shares are of the EMV of all posts, removed or not.'
      else 'Removed posts alone are listed, whatever is asked about them; shares are of all posts, removed or not.'
    end as text,
    null::bigint as n,
    null::double as amount
  from removed
  cross join report_settings
  where removed.posts > 0
  union all
  select 2, 'The period is that of publication, not of removal.', null, null
  from report_settings
  where period_from is not null or period_to is not null
  union all
  select 3, 'Every post is priced at a CPM of {amount:cpm}, whatever the service says.', null, cpm
  from report_settings
  where cpm is not null
  union all
  select
    4,
    case
      when by_profile_cpm = 1 then 'EMV of {n:count} post by the CPM of its profile: the service gave none.'
      else 'EMV of {n:count} posts by the CPM of their profile: the service gave none.'
    end,
    by_profile_cpm,
    null
  from removed
  where by_profile_cpm > 0
  union all
  select
    5,
    case when without_emv = 1 then '{n:count} removed post has' else '{n:count} removed posts have' end
      || ' no EMV: counted as removed, and left out of EMV rather than counted as 0.',
    without_emv,
    null
  from removed
  where without_emv > 0
  union all
  select
    6,
    case
      when posts = 1
        then '{n:count} deleted post has no LinkedIn post in the data (a draft, or for other channels):'
      else '{n:count} deleted posts have no LinkedIn post in the data (drafts, or for other channels):'
    end
      || ' without figures, and not listed'
      || case when period_from is null and period_to is null then '.' else '; counted whatever the period.' end,
    posts,
    null
  from unlinked
  cross join report_settings
  where unlinked.posts > 0
  union all
  select
    7,
    case when without_time = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' no time of publication: counted where no period is asked for.',
    without_time,
    null
  from removed
  where without_time > 0
  union all
  select
    8,
    case when before_publication = 1 then '{n:count} post was' else '{n:count} posts were' end
      || ' deleted in the workspace before the time of publication that LinkedIn gives.',
    before_publication,
    null
  from removed
  where before_publication > 0
  union all
  select
    9,
    case when negative = 1 then '{n:count} post has' else '{n:count} posts have' end
      || ' a negative count (an undone reaction). Kept as given.',
    negative,
    null
  from removed
  where negative > 0
)
select text, n, amount
from facts
order by position;
