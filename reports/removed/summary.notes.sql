-- grain: one sentence about what the totals leave out or rest on, in the page's order
-- key: text
-- reads: report_removed, report_settings, report_unlinked_removals
with removed as (
  select
    count(*) as posts,
    count(*) filter (where emv_source = 'profile_cpm') as by_profile_cpm,
    count(*) filter (where emv is null) as without_emv,
    count(*) filter (where published_at is null) as without_time,
    count(*) filter (where removed_at < published_at) as before_publication,
    count(*) filter (
      where least(like_count, comment_count, share_count, click_count, save_count, send_count, impression_count) < 0
    ) as negative
  from report_removed
),
unlinked as (
  select count(*) as unlinked
  from report_unlinked_removals
),
facts as (
  select cpm, unnest(
    [
      {'position': 1, 'text': 'Shares are of the EMV of all posts, removed or not.', 'n': posts},
      {
        'position': 2,
        'text': 'The period is that of publication, not of removal.',
        'n': (period_from is not null or period_to is not null)::bigint
      },
      {
        'position': 3,
        'text': 'Every post is priced at a CPM of {cpm:cpm}, regardless of the EMV that the service gives.',
        'n': (cpm is not null)::bigint
      },
      {
        'position': 4,
        'text': 'The EMV of {n:count} {n|post|posts} is computed with the CPM of the profile: the service gives none.',
        'n': by_profile_cpm
      },
      {
        'position': 5,
        'text': '{n:count} removed {n|post has|posts have} no EMV: counted as removed, not as EMV of 0.',
        'n': without_emv
      },
      {
        'position': 6,
        'text': '{n:count} deleted {n|post has|posts have} no LinkedIn post (drafts, or for other channels): no figures, not listed'
          || case when period_from is null and period_to is null then '.' else ', counted whatever the period.' end,
        'n': unlinked
      },
      {
        'position': 7,
        'text': '{n:count} {n|post has|posts have} no time of publication: counted only without a period.',
        'n': without_time
      },
      {
        'position': 8,
        'text': '{n:count} {n|post was|posts were} deleted before the time of publication that LinkedIn gives.',
        'n': before_publication
      },
      {
        'position': 9,
        'text': '{n:count} {n|post has|posts have} a negative count, for example after a reaction was withdrawn. Kept as given.',
        'n': negative
      }
    ],
    recursive := true
  )
  from removed
  cross join unlinked
  cross join report_settings
)
select text, n, cpm
from facts
where n > 0
order by position;
