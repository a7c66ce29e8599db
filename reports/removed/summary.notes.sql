-- grain: one sentence of a list about the posts behind the totals
-- reads: report_removed, report_settings, report_unlinked_removals
with removed as (
  select
    nullif(count(*) filter (where emv_source = 'profile_cpm'), 0) as by_profile_cpm,
    nullif(count(*) filter (where emv is null), 0) as without_emv,
    nullif(count(*) filter (where published_at is null), 0) as without_time,
    nullif(count(*) filter (where removed_at < published_at), 0) as before_publication,
    nullif(count(*) filter (where has_negative_count), 0) as negative
  from report_removed
),
unlinked as (
  select nullif(count(*), 0) as unlinked
  from report_unlinked_removals
)
select
  unnest([
    case when exists (from report_removed) then 'Shares are of the EMV of all posts, removed or not.' end,
    case when has_period then 'The period is that of publication, not of removal.' end,
    'Every post with impressions is priced at a CPM of {cpm:cpm}, regardless of the EMV that the service gives.',
    'The EMV of {by_profile_cpm:count} {by_profile_cpm|post|posts} is computed with the CPM of {by_profile_cpm|its profile|their profiles}: the service gives none.',
    '{without_emv:count} removed {without_emv|post has|posts have} no EMV: counted as removed, not as EMV of 0.',
    case
      when has_period
        then '{unlinked:count} deleted {unlinked|post has|posts have} no LinkedIn post (drafts, or for other channels): no figures, not listed, counted whatever the period.'
      else '{unlinked:count} deleted {unlinked|post has|posts have} no LinkedIn post (drafts, or for other channels): no figures, not listed.'
    end,
    '{without_time:count} {without_time|post has|posts have} no time of publication: counted only without a period.',
    '{before_publication:count} {before_publication|post was|posts were} deleted before the time of publication that LinkedIn gives.',
    '{negative:count} {negative|post has|posts have} a negative count, for example after a reaction was withdrawn. Kept as given.'
  ]) as text,
  removed.*,
  unlinked,
  cpm
from removed
cross join unlinked
cross join report_settings;
