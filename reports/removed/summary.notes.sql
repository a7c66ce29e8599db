-- grain: one sentence of a list about the posts behind the totals
-- reads: report_facts
select
  unnest([
    case when removed_posts > 0 then 'Shares are of the EMV of all posts, removed or not.' end,
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
  nullif(columns(['by_profile_cpm', 'without_emv', 'unlinked', 'without_time', 'before_publication', 'negative']), 0) as '\0',
  cpm
from report_facts;
