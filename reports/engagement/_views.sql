-- grain: one label; one type; one format, or one answer to whether posts went to other channels (engagement_details); one interaction of a post (engagement_parts); one kind of profile and of interaction (engagement_mix); one hour of the week; one dimension (engagement_gone)
-- key: label; type; dimension, name; workspace, linkedin_post_id, part; kind, part; weekday, hour; dimension
-- reads: metrics, report_posts
--
-- engagement_labels and engagement_types: a group of at least 10 posts against at least 10 others (compared,
-- sql/report/comparisons.sql). engagement_slots: hours of the week, shrunk towards the rate of all posts.
-- The columns that the sections by profile and campaign share.
create or replace temp macro engagement_by(which) as table
select
  name,
  posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  likes,
  comments,
  shares,
  clicks,
  saves,
  sends,
  rate_p25,
  rate_p50,
  rate_p75,
  previous_rate,
  rate_change,
  trend,
  page_p50,
  member_p50,
  rated_posts,
  workspace,
  profile_id,
  kind
from engagement_groups
where dimension = which;

create or replace temp table engagement_labels as
select
  name as label,
  posts_without,
  is_compared,
  ratio_without as rate_without,
  lift,
  factor as lift_factor,
  is_finding,
  is_clear,
  among
from compared_of('engagement_kinds', 'label', 10);

create or replace temp table engagement_types as
select
  name as type,
  case when name ilike '%post' then name || 's' else name || ' posts' end as posts_of_type,
  posts_without,
  least(posts, posts_without) as posts_compared,
  is_compared,
  ratio_without as rate_rest,
  lift,
  factor as lift_factor,
  is_finding,
  is_clear,
  among
from compared_of('engagement_kinds', 'type', 10);

-- What is known from the posts' details: their formats and channels.
create or replace temp table engagement_details as
select 'format' as dimension, *
from compared_of('engagement_kinds', 'format', 10)
union all
select 'channels' as dimension, *
from compared_of('engagement_kinds', 'channels', 10);

create or replace temp macro engagement_by_detail(which) as table
select
  groups.name,
  groups.posts,
  impressions,
  engagements,
  engagement_rate,
  interactions,
  rate_p25,
  rate_p50,
  rate_p75,
  ratio_without as rate_rest,
  lift,
  previous_rate,
  rate_change,
  coalesce(is_clear, false) as is_clear
from engagement_groups as groups
left join engagement_details using (dimension, name)
where groups.dimension = which;

-- One kind of profile and one kind of interaction. LinkedIn counts clicks for pages only, saves and sends for members
-- only: a source that writes 0 for what a kind does not have says nothing.
create or replace temp table engagement_parts as
select workspace, linkedin_post_id, kind, position, title as part, noun, scope, amount
from (select workspace, linkedin_post_id, kind, columns('^.*_count$') from report_posts)
unpivot include nulls (amount for metric in (columns('^.*_count$')))
join metrics using (metric)
where is_interaction;

create or replace temp table engagement_mix as
select
  kind,
  position,
  part,
  any_value(noun) as noun,
  coalesce(any_value(scope) in ('all', kind), true) as is_reported,
  case when is_reported then sum(amount) end as value,
  case when is_reported then max(amount) end as largest,
  case when is_reported then count(amount) end as posts_known,
  count(*) as posts
from engagement_parts
group by kind, position, part;

-- Empirical Bayes (Bühlmann): a slot's rate counts for weight / (weight + k), the rate of all posts for the rest.
-- The weight is the number of equally large posts that the slot's posts amount to (Kish), as one large post says
-- no more than one. k is the variance of posts' rates within slots ÷ the variance between slots, both by the
-- analysis of variance over posts with a rate; at most 10, so that slots are seen where they differ no more than
-- their posts do. doubt is the deviation that is left in a slot's rate; null where slots do not differ. Pages and
-- members post at other hours and engage at other rates: posts count as if the rate of their kind were that of all.
create or replace temp table engagement_slots as
with overall as (
  select engagement_rate as overall
  from engagement_groups
  where dimension = 'all'
),
kinds as (
  select kind, coalesce(finite(any_value(overall) / nullif(ratio_of_sums(engagements, impression_count), 0)), 1) as level
  from report_posts
  cross join overall
  group by kind
),
timed as (
  select
    isodow(published_local)::integer as weekday,
    hour(published_local)::integer as hour,
    impression_count,
    engagements,
    engagements * level as level_engagements,
    finite(engagements / nullif(impression_count, 0)) * level as rate
  from report_posts
  join kinds on kinds.kind is not distinct from report_posts.kind
  where published_local is not null
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

create or replace temp table engagement_gone as
select *
from gone_notes('posts', ['profile', 'type', 'campaign', 'label'], 'engagements');
