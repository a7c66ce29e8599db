-- grain: one sentence of a list
-- reads: emv_groups, emv_sums, emv_totals, report_grain, report_posts
--
-- The implied CPM of a post with an EMV from the service is EMV ÷ impressions × 1,000, within half a cent of EMV. A
-- profile's CPM has changed if all posts before some post agree on one CPM, all posts from it on agree on another, and
-- each group has at least 3 posts. If a profile's posts do neither, the note gives only the spread by month, week or quarter.
with priced as (
  select
    workspace,
    profile_id,
    coalesce(profile, profile_id) as profile,
    linkedin_post_id,
    published_local,
    emv,
    impression_count as impressions,
    effective_cpm - 5.1 / impression_count - abs(effective_cpm) * 0.0005 as low_cpm,
    effective_cpm + 5.1 / impression_count + abs(effective_cpm) * 0.0005 as high_cpm
  from report_posts
  where emv_source = 'api' and impression_count > 0 and effective_cpm is not null and published_local is not null
),
compared as (
  select
    *,
    count(*) over earlier as posts_before,
    max(low_cpm) over earlier as low_before,
    min(high_cpm) over earlier as high_before,
    fsum(emv) over earlier * 1000 / sum(impressions) over earlier as old_cpm,
    max(published_local::date) over earlier as last_old_day,
    count(*) over later as posts_after,
    max(low_cpm) over later as low_after,
    min(high_cpm) over later as high_after,
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
unsteady as (
  select workspace, profile_id
  from priced
  group by workspace, profile_id
  having max(low_cpm) > min(high_cpm)
),
changes as (
  select *
  from compared
  where posts_before >= 3
    and posts_after >= 3
    and low_before <= high_before
    and low_after <= high_after
    and (low_cpm > high_before or high_cpm < low_before)
    and abs(new_cpm / nullif(old_cpm, 0) - 1) >= 0.005
),
change as (
  select
    nullif(count(*), 0) as n,
    min(profile) as profile,
    min(published_local::date) as day,
    min(old_cpm) as old_cpm,
    min(new_cpm) as new_cpm,
    -- these are the same change, as far as the posts show
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
profiles as (
  select count(*) as profile_count
  from emv_groups
  where dimension = 'profile'
)
select
  unnest([
    case
      when difference < 0 then '{change:phrase}. Without the change, EMV would be {amount:money}, {part:share} lower.'
      else '{change:phrase}. Without the change, EMV would be {amount:money}, {part:share} higher.'
    end,
    case when high > low * 1.01 and exists (from unsteady anti join changes using (workspace, profile_id))
      then case grain
        when 'week'
          then 'The CPM differs by week, from {low:money_exact} to {high:money_exact}, so weeks differ in price as well as in impressions.'
        when 'quarter'
          then 'The CPM differs by quarter, from {low:money_exact} to {high:money_exact}, so quarters differ in price as well as in impressions.'
        else 'The CPM differs by month, from {low:money_exact} to {high:money_exact}, so months differ in price as well as in impressions.'
      end
    end,
    '{young_posts:count} {young_posts|post is|posts are} less than 14 days old and still growing ({young_emv:money} so far).'
  ]) as text,
  case
    when not is_one then 'The CPM of {n:count} profiles changed within the period'
    when new_cpm > old_cpm then '{whose:phrase} rose from {old_cpm:money_exact} to {new_cpm:money_exact} on {day:date}'
    else '{whose:phrase} fell from {old_cpm:money_exact} to {new_cpm:money_exact} on {day:date}'
  end as change,
  case
    when n = profile_count then 'The CPM'
    when n = 1 then 'The CPM of {profile:text}'
    else 'The CPM of {n:count} profiles'
  end as whose,
  change.*,
  emv + difference as amount,
  abs(difference) / nullif(emv, 0) as part,
  low,
  high,
  young_posts,
  young_emv
from change
cross join months
cross join profiles
cross join emv_totals
cross join report_grain
where is_current;
