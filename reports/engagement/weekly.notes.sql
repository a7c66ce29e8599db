-- grain: one sentence of a list about weeks that are cut, empty or not final
-- reads: engagement_sums, report_posts, report_settings
with posts as (
  select
    nullif(count(distinct date_trunc('week', published_local)) filter (where is_young), 0) as young_weeks,
    nullif(count(*) filter (where published_local is null), 0) as untimed
  from report_posts
),
compared as (
  select count(*) > 0 as has_previous
  from engagement_sums
  where dimension = 'weekly' and not is_current
)
select
  unnest([
    case
      when isodow(period_from) > 1 and isodow(period_to) < 7 then 'The first and last weeks are partial.'
      when isodow(period_from) > 1 then 'The first week is partial.'
      when isodow(period_to) < 7 then 'The last week is partial.'
    end,
    case when has_previous then 'Each week is compared with the week at the same point of the comparison period.' end,
    '{young_weeks:count} {young_weeks|week includes|weeks include} posts that are not final.',
    '{untimed:count} {untimed|post|posts} without a time of publication {untimed|is|are} excluded.'
  ]) as text,
  posts.*
from posts
cross join compared
cross join report_settings;
