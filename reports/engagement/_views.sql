-- grain: one post of either period; one group of posts; one kind of group that is gone; one label; one type; one hour of the week
-- key: is_previous, workspace, linkedin_post_id; is_previous, dimension, workspace, name, day; dimension; label; type; weekday, hour
-- reads: report_posts, report_previous, report_settings
-- parameters: none
--
-- What the sections share. engagement_posts: the posts of the period and of the one to compare with (is_previous),
-- each with its own rate, which needs engagement and impressions to divide by; rated_posts are those that have
-- one, everywhere. engagement_groups: their sums by dimension ('total', 'month', 'week', 'profile', 'type',
-- 'campaign', 'label'); months and weeks of the previous period stand under the day of their counterpart.
-- engagement_gone: the groups that had posts in the previous period alone.
-- engagement_slots: hours of the week, shrunk towards the rate of all posts. engagement_labels and
-- engagement_types: a group of at least 10 posts against at least 10 others (compared, sql/report/comparisons.sql).
create or replace temp view engagement_posts as
with both_periods as (
  select false as is_previous, *
  from report_posts
  union all by name
  select true as is_previous, *
  from report_previous
)
select
  is_previous,
  workspace,
  linkedin_post_id,
  profile_id,
  profile,
  kind,
  type,
  campaign,
  labels,
  published_local,
  published_month,
  is_young,
  impression_count,
  engagement,
  engagements,
  interactions,
  like_count,
  comment_count,
  share_count,
  click_count,
  save_count,
  send_count,
  finite(engagements / nullif(impression_count, 0)) as rate,
  -- the week as far into its period
  case
    when is_previous then date_trunc('week', published_local)::date
      + (date_trunc('week', period_from)::date - date_trunc('week', previous_from)::date)::integer
    else date_trunc('week', published_local)::date
  end as week,
  case
    when is_previous then (published_month + to_months(previous_months))::date
    else published_month
  end as month
from both_periods
cross join report_settings;

create or replace temp table engagement_groups as
with members as (
  select 'total' as dimension, null::varchar as group_workspace, null::varchar as name, null::date as day, *
  from engagement_posts
  union all
  select 'month', null, null, month, *
  from engagement_posts
  where not is_previous or month is not null
  union all
  select 'week', null, null, week, *
  from engagement_posts
  where week is not null
  union all
  select 'profile', workspace, profile_id, null, *
  from engagement_posts
  union all
  select 'type', null, type, null, *
  from engagement_posts
  union all
  select 'campaign', null, coalesce(campaign, '(none)'), null, *
  from engagement_posts
  union all
  select 'label', null, unnest(case when len(labels) = 0 then ['(none)'] else labels end), null, *
  from engagement_posts
)
select
  is_previous,
  dimension,
  group_workspace as workspace,
  name,
  day,
  -- one profile has one of each
  max(profile) as profile,
  max(kind) as kind,
  count(*) as posts,
  sum(impression_count) as impressions,
  exact_sum(engagements) as engagements,
  ratio_of_sums(engagements, impression_count) as engagement_rate,
  sum(interactions) as interactions,
  sum(like_count) as likes,
  sum(comment_count) as comments,
  sum(share_count) as shares,
  sum(click_count) as clicks,
  sum(save_count) as saves,
  sum(send_count) as sends,
  case when count(rate) >= 10 then quantile_cont(engagement, 0.25) filter (where rate is not null) end as rate_p25,
  case when count(rate) >= 10 then median(engagement) filter (where rate is not null) end as rate_p50,
  case when count(rate) >= 10 then quantile_cont(engagement, 0.75) filter (where rate is not null) end as rate_p75,
  count(rate) as rated_posts,
  sum(impression_count) filter (where rate is not null) as rated_impressions,
  exact_sum(case when is_young then engagements end) as young_engagements,
  sum(click_count) filter (where kind = 'page') as page_clicks,
  count(click_count) filter (where kind = 'page') as page_click_posts,
  sum(save_count) filter (where kind = 'member') as member_saves,
  count(save_count) filter (where kind = 'member') as member_save_posts
from members
group by is_previous, dimension, group_workspace, name, day;

create or replace temp view engagement_gone as
select
  dimension,
  count(*) as groups,
  sum(posts)::bigint as posts,
  exact_sum(engagements) as engagements
from engagement_groups as before
where is_previous
  and not exists (
    select 1
    from engagement_groups as shown
    where not shown.is_previous
      and shown.dimension = before.dimension
      and shown.workspace is not distinct from before.workspace
      and shown.name is not distinct from before.name
      and shown.day is not distinct from before.day
  )
group by dimension;

create or replace temp table engagement_labels as
select
  name as label,
  posts as posts_with,
  posts_without,
  is_compared,
  ratio_without as rate_without,
  lift,
  factor as lift_factor,
  is_finding,
  among
from compared('label', 'rate', 10);

create or replace temp table engagement_types as
select
  name as type,
  case when name ilike '%post' then name || 's' else name || ' posts' end as posts_of_type,
  posts as posts_with,
  posts_without,
  ratio_without as rate_rest,
  lift,
  factor as lift_factor,
  is_finding,
  among
from compared('type', 'rate', 10);

-- Empirical Bayes (Bühlmann): a slot's rate counts for weight / (weight + k), the rate of all posts for the rest.
-- The weight is the number of equally large posts that the slot's posts amount to (Kish), as one large post tells
-- no more than one. k is the variance of posts' rates within slots ÷ the variance between slots, both by the
-- analysis of variance over posts with a rate; at most 10, so that slots are seen where they differ no more than
-- their posts do. doubt is the deviation that is left in a slot's rate; null where slots do not differ. Pages and
-- members post at other hours and engage at other rates: posts count as if the rate of their kind were that of all.
create or replace temp table engagement_slots as
with overall as (
  select engagement_rate as overall
  from engagement_groups
  where dimension = 'total' and not is_previous
),
kinds as (
  select kind, coalesce(finite(any_value(overall) / nullif(ratio_of_sums(engagements, impression_count), 0)), 1) as level
  from engagement_posts
  cross join overall
  where not is_previous
  group by kind
),
timed as (
  select
    isodow(published_local)::integer as weekday,
    hour(published_local)::integer as hour,
    impression_count,
    engagements,
    engagements * level as level_engagements,
    rate * level as rate
  from engagement_posts
  join kinds on kinds.kind is not distinct from engagement_posts.kind
  where not is_previous and published_local is not null
),
slots as (
  select
    weekday,
    hour,
    count(*) as posts,
    sum(impression_count) as impressions,
    ratio_of_sums(engagements, impression_count) as engagement_rate,
    ratio_of_sums(level_engagements, impression_count) as level_rate,
    count(rate) as rated_posts,
    exact_sum(rate) / nullif(count(rate), 0) as mean_rate,
    finite(
      power(sum(impression_count::double order by impression_count) filter (where rate is not null), 2)
      / nullif(
        fsum(power(impression_count::double, 2) order by impression_count) filter (where rate is not null),
        0
      )
    ) as weight
  from timed
  group by weekday, hour
),
within_slots as (
  select
    finite(fsum(power(rate - mean_rate, 2) order by rate, mean_rate)) as squares,
    count(rate) as rates,
    exact_sum(rate) / nullif(count(rate), 0) as mean_rate
  from timed
  join slots using (weekday, hour)
),
between_slots as (
  select
    finite(
      fsum(
        slots.rated_posts * power(slots.mean_rate - within_slots.mean_rate, 2) order by slots.mean_rate, slots.rated_posts
      )
    ) as squares,
    count(*) as slots,
    sum(power(slots.rated_posts, 2) order by slots.rated_posts) as squared_rates
  from slots
  cross join within_slots
  where slots.rated_posts > 0
),
variances as (
  select
    finite(within_slots.squares / nullif(within_slots.rates - slots, 0)) as variance_within,
    finite(
      (between_slots.squares / nullif(slots - 1, 0) - variance_within)
      * nullif(slots - 1, 0)
      / nullif(within_slots.rates - squared_rates / nullif(within_slots.rates, 0), 0)
    ) as variance_between
  from within_slots
  cross join between_slots
),
measured as (
  select
    slots.*,
    overall,
    case when variance_between > 0 then sqrt(variance_within) end as deviation_within,
    least(
      10,
      coalesce(case when variance_between > 0 then finite(variance_within / variance_between) end, 10)
    ) as k
  from slots
  cross join overall
  cross join variances
),
shrunk as (
  select
    weekday,
    hour,
    posts,
    impressions,
    engagement_rate,
    rated_posts,
    overall,
    finite(overall + weight / nullif(weight + k, 0) * (level_rate - overall)) as shrunk_rate,
    deviation_within / sqrt(weight + k) as doubt
  from measured
)
select
  *,
  case
    when rated_posts >= 5 and shrunk_rate is not null
      then rank() over (
        partition by rated_posts >= 5 and shrunk_rate is not null
        order by shrunk_rate desc
      )
  end as rank
from shrunk;
