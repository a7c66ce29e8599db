-- grain: one campaign on one day with posts, and on its first and last day; with more than 6 campaigns, the 5 with the most EMV and all others together as one; a macro gives what the chart leaves out
-- key: position, day; text
-- reads: report_campaigns, report_posts, report_settings
--
-- Cumulative figures of campaigns by day. A campaign runs from its first to its last day, or to posts outside of them,
-- within the period and up to the newest reading. Posts without a time have no day; campaigns without EMV have no line.
-- position: by EMV, the largest first, the others last. day_of_campaign is null for the others.
create or replace temp view report_campaign_days as
with posts as (
  select campaign, published_local::date as day, emv
  from report_posts
  where campaign is not null and published_local is not null
),
ranked as (
  select
    campaign,
    row_number() over (order by exact_sum(emv) desc, campaign) as rank,
    count(*) over () as campaigns
  from posts
  group by campaign
  having exact_sum(emv) is not null
),
taken as (
  select campaign
  from report_posts
  where campaign is not null
  union
  select campaign
  from report_campaigns
  where is_expected
),
-- the first name for the others that no campaign has, with or without a line
names as (
  select unnest(range(1, count(*) + 2)) as number
  from taken
),
other as (
  select case number when 1 then 'other' when 2 then 'the others' else 'the others (' || number || ')' end as name
  from names
  where name not in (select campaign from taken)
  order by number
  limit 1
),
lines as (
  select
    campaign,
    case
      when campaigns <= 6 or rank <= 5 then campaign
      else (select name from other)
    end as line,
    case when campaigns <= 6 then rank else least(rank, 6) end as position
  from ranked
),
post_days as (
  select
    line,
    position,
    day,
    exact_sum(emv) as emv,
    count(*) as posts
  from posts
  join lines using (campaign)
  group by line, position, day
),
ends as (
  select
    line,
    position,
    min(day) as first_post,
    max(day) as last_post,
    min(start_date) as start_date,
    max(end_date) as end_date
  from posts
  join lines using (campaign)
  left join report_campaigns using (campaign)
  group by line, position
),
edges as (
  select
    line,
    position,
    unnest([
      greatest(least(start_date, first_post), period_from),
      greatest(least(greatest(end_date, last_post), period_to, timezone(timezone, data_as_of)::date), last_post)
    ]) as day
  from ends
  cross join report_settings
),
days as (
  select line, position, day from post_days
  union
  select line, position, day from edges
)
select
  position,
  line as campaign,
  day,
  case
    when line in (select campaign from taken) then date_diff('day', min(day) over (partition by position), day) + 1
  end as day_of_campaign,
  coalesce(fsum(emv) over so_far, 0) as cumulative_emv,
  coalesce(sum(posts) over so_far, 0)::bigint as posts,
  emv
from days
left join post_days using (line, position, day)
window so_far as (partition by position order by day rows unbounded preceding);

-- At most two sentences about what the chart of these days draws as one, or not at all.
create or replace temp macro campaign_chart_notes() as table
with drawn as (
  select campaign
  from report_posts
  where campaign is not null and published_local is not null
  group by campaign
  having exact_sum(emv) is not null
),
counted as (
  select
    (select count(*) - 5 from drawn having count(*) > 6) as others,
    (select nullif(count(*), 0) from report_posts where campaign is not null and published_local is null) as undated
)
select
  unnest([
    'The chart shows the 5 campaigns with the most EMV, and the other {others:count} as one line.',
    '{undated:count} {undated|post|posts} without a time of publication {undated|is|are} in the table but not in the chart.'
  ]) as text,
  *
from counted;
