-- grain: one sentence, in the page's order
-- key: text
-- reads: emv_groups, emv_sums, emv_totals, report_posts, report_settings
-- parameters: none
--
-- The implied CPM of a post to which the service gave EMV is that ÷ impressions × 1,000, give or take half a
-- cent of EMV; what is priced here by the CPM of a profile knows no other. A profile's CPM has changed where all posts before one agree in a CPM, all posts from it on agree in another, and both are at
-- least 3. Where a profile's posts agree in neither way, only the spread by month is told.
with priced as (
  select
    workspace,
    profile_id,
    coalesce(profile, profile_id) as profile,
    linkedin_post_id,
    published_local,
    emv,
    impression_count as impressions,
    effective_cpm - 5.1 / impression_count - abs(effective_cpm) * 0.0005 as least_cpm,
    effective_cpm + 5.1 / impression_count + abs(effective_cpm) * 0.0005 as most_cpm
  from report_posts
  where emv_source = 'api' and impression_count > 0 and effective_cpm is not null and published_local is not null
),
compared as (
  select
    *,
    count(*) over earlier as posts_before,
    max(least_cpm) over earlier as least_before,
    min(most_cpm) over earlier as most_before,
    fsum(emv) over earlier * 1000 / sum(impressions) over earlier as old_cpm,
    max(published_local::date) over earlier as last_old_day,
    count(*) over later as posts_after,
    max(least_cpm) over later as least_after,
    min(most_cpm) over later as most_after,
    fsum(emv) over later * 1000 / sum(impressions) over later as new_cpm,
    fsum(emv) over later as emv_after,
    sum(impressions) over later as impressions_after
  from priced
  window
    earlier as (
      partition by workspace, profile_id order by published_local, linkedin_post_id
      rows between unbounded preceding and 1 preceding
    ),
    later as (
      partition by workspace, profile_id order by published_local, linkedin_post_id
      rows between current row and unbounded following
    )
),
profiles as (
  select
    workspace,
    profile_id,
    max(least_cpm) <= min(most_cpm) as is_steady
  from priced
  group by workspace, profile_id
),
changes as (
  select *
  from compared
  where posts_before >= 3
    and posts_after >= 3
    and least_before <= most_before
    and least_after <= most_after
    and (least_cpm > most_before or most_cpm < least_before)
    and abs(new_cpm / nullif(old_cpm, 0) - 1) >= 0.005
),
change as (
  select
    count(*) as n,
    min(profile) as profile,
    min(published_local::date) as day,
    min(old_cpm) as old_cpm,
    min(new_cpm) as new_cpm,
    -- one and the same change, as far as the posts show
    max(round(old_cpm, 2)) = min(round(old_cpm, 2))
      and max(round(new_cpm, 2)) = min(round(new_cpm, 2))
      and max(last_old_day) <= min(published_local::date) as is_one,
    exact_sum(impressions_after * old_cpm / 1000 - emv_after) as difference
  from changes
),
months as (
  select min(effective_cpm) as low, max(effective_cpm) as high
  from emv_sums
  where is_current and dimension = 'all' and is_monthly and month is not null
),
facts as (
  select
    1 as position,
    case
      when not is_one then 'The CPM of {n:count} profiles changed within the period; at the earlier ones'
      else 'The CPM'
        || case
          when n = (select count(*) from emv_groups where dimension = 'profile') then ''
          when n = 1 then ' of {profile:text}'
          else ' of {n:count} profiles'
        end
        || case when new_cpm > old_cpm then ' rose' else ' fell' end
        || ' from {low:money_exact} to {high:money_exact} on {day:date}; at the old one'
    end
      || case period_months when 12 then ' the year' when 1 then ' the month' else ' the EMV' end
      || ' would stand at {amount:money}'
      || case when difference < 0 then ', {part:share} lower.' else ', {part:share} higher.' end as text,
    n,
    profile,
    day,
    old_cpm as low,
    new_cpm as high,
    emv + difference as amount,
    abs(difference) / nullif(emv, 0) as part
  from change
  cross join emv_totals
  cross join report_settings
  where is_current and n > 0
  union all
  select
    2,
    'The implied CPM differs by month, from {low:money_exact} to {high:money_exact}: months differ in price as well as in impressions.',
    null,
    null,
    null,
    low,
    high,
    null,
    null
  from months
  where high > low * 1.01
    and exists (
      select 1
      from profiles
      anti join changes using (workspace, profile_id)
      where not is_steady
    )
  union all
  select
    3,
    case when young_posts = 1 then '{n:count} post, {amount:money},' else '{n:count} posts, {amount:money},' end
      || case when young_posts = 1 then ' is younger than 14 days and still grows.'
        else ' are younger than 14 days and still grow.' end,
    young_posts,
    null,
    null,
    null,
    null,
    young_emv,
    null
  from emv_totals
  where is_current and young_emv is not null
)
select text, n, profile, day, low, high, amount, part
from facts
order by position;
