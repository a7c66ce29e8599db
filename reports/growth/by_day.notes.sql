-- grain: one sentence of a list about what the days leave out
-- reads: report_facts
select
  unnest([
    '{missing:count} {missing|day|days} in between without readings: {missing|a gap|gaps}, not 0.',
    case
      when impressions_over_days is null then '{posts:count} {posts|post was|posts were} not read every day.'
      else '{posts:count} {posts|post was|posts were} not read every day. {amount|# impression that came in such a gap is|# impressions that came in such gaps are} in columns of their own.'
    end
  ]) as text,
  nullif(days_not_read, 0) as missing,
  nullif(posts_with_gaps, 0) as posts,
  impressions_over_days::double as amount
from report_facts;
