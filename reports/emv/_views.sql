-- grain: one post of either period (emv_posts), under one of its groups (emv_members); one group, and one group in one month (emv_sums); one period (emv_totals); one group of the report (emv_groups); one dimension with groups that had posts only before (emv_gone); one post with EMV (emv_ranks), one with impressions (emv_impression_ranks)
-- key: none; none; is_current, dimension, workspace, profile_id, name, is_monthly, month; is_current; dimension, workspace, profile_id, name; dimension; workspace, linkedin_post_id; workspace, linkedin_post_id
-- reads: report_posts, report_previous, report_settings, report_months
-- parameters: none
--
-- The sums that all sections share, so that none of them can compute its own. A post stands under 'all', its
-- profile, type and campaign, and under each of its labels; posts without a campaign or label under (none).
-- is_current: of the report's period, or of the one that it is compared with, whose months are moved to stand
-- beside their counterparts; where they cannot be, their month is null.
create or replace temp view emv_posts as
select
  true as is_current,
  workspace,
  profile_id,
  profile,
  kind,
  type,
  campaign,
  labels,
  published_month as month,
  impression_count,
  emv,
  is_young
from report_posts
union all
select
  false,
  workspace,
  profile_id,
  profile,
  kind,
  type,
  campaign,
  labels,
  (published_month + to_months(previous_months))::date,
  impression_count,
  emv,
  is_young
from report_previous
cross join report_settings;

create or replace temp view emv_members as
with grouped as (
  select 'all' as dimension, '' as workspace, '' as profile_id, '' as name, emv_posts.* exclude (workspace, profile_id)
  from emv_posts
  union all
  select 'profile', workspace, profile_id, coalesce(profile, profile_id), emv_posts.* exclude (workspace, profile_id)
  from emv_posts
  union all
  select 'type', '', '', type, emv_posts.* exclude (workspace, profile_id)
  from emv_posts
  union all
  select 'campaign', '', '', coalesce(campaign, '(none)'), emv_posts.* exclude (workspace, profile_id)
  from emv_posts
  union all
  select
    'label',
    '',
    '',
    unnest(case when len(labels) = 0 then ['(none)'] else labels end),
    emv_posts.* exclude (workspace, profile_id)
  from emv_posts
)
select is_current, dimension, workspace, profile_id, name, kind, month, impression_count, emv, is_young
from grouped;

create or replace temp table emv_sums as
select
  is_current,
  dimension,
  workspace,
  profile_id,
  name,
  grouping(month) = 0 as is_monthly,
  month,
  min(kind) as kind,
  count(*) as posts,
  count(emv) as posts_with_emv,
  count(impression_count) as posts_with_impressions,
  sum(impression_count) as impressions,
  sum(impression_count) filter (where emv is not null) as priced_impressions,
  exact_sum(emv) as emv,
  ratio_of_sums(emv, impression_count) * 1000 as effective_cpm,
  exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
  case when count(emv) >= 10 then median(emv) end as median_emv,
  case when count(impression_count) >= 10 then median(impression_count) end as median_impressions,
  count(*) filter (where is_young) as young_posts,
  sum(case when is_young then impression_count end) as young_impressions,
  exact_sum(case when is_young then emv end) as young_emv
from emv_members
group by grouping sets (
  (is_current, dimension, workspace, profile_id, name),
  (is_current, dimension, workspace, profile_id, name, month)
);

create or replace temp table emv_totals as
with periods as (
  select true as is_current
  union all
  -- a period that was not read is not one without posts
  select false
  from report_settings
  where previous_from is not null
)
select
  is_current,
  coalesce(posts, 0) as posts,
  coalesce(posts_with_emv, 0) as posts_with_emv,
  coalesce(posts_with_impressions, 0) as posts_with_impressions,
  impressions,
  priced_impressions,
  emv,
  effective_cpm,
  emv_per_post,
  median_emv,
  median_impressions,
  coalesce(young_posts, 0) as young_posts,
  young_impressions,
  young_emv
from periods
left join emv_sums using (is_current)
where dimension is null or (dimension = 'all' and not is_monthly);

create or replace temp table emv_groups as
with monthly as (
  select dimension, workspace, profile_id, name, month, emv
  from emv_sums
  where is_current and is_monthly
),
groups as (
  select * exclude (month)
  from emv_sums
  where is_current and not is_monthly
),
trends as (
  select
    groups.dimension,
    groups.workspace,
    groups.profile_id,
    groups.name,
    case when count(*) >= 2 and count(monthly.emv) > 0 then list(monthly.emv order by report_months.month) end
      as trend
  from groups
  cross join report_months
  left join monthly
    on monthly.dimension = groups.dimension
    and monthly.workspace = groups.workspace
    and monthly.profile_id = groups.profile_id
    and monthly.name = groups.name
    and monthly.month = report_months.month
  group by groups.dimension, groups.workspace, groups.profile_id, groups.name
),
previous as (
  select dimension, workspace, profile_id, name, impressions, emv
  from emv_sums
  where not is_current and not is_monthly
),
total as (
  select emv
  from emv_totals
  where is_current
)
select
  groups.dimension,
  groups.workspace,
  groups.profile_id,
  groups.name,
  groups.kind,
  groups.posts,
  groups.posts_with_emv,
  groups.impressions,
  groups.emv,
  groups.effective_cpm,
  groups.emv / nullif(total.emv, 0) as emv_share,
  groups.emv_per_post,
  groups.median_emv,
  previous.emv as previous_emv,
  finite(case when previous.emv > 0 then groups.emv / previous.emv - 1 end) as emv_change,
  groups.posts_with_impressions,
  groups.median_impressions,
  previous.impressions as previous_impressions,
  trends.trend
from groups
cross join total
left join previous using (dimension, workspace, profile_id, name)
left join trends using (dimension, workspace, profile_id, name);

-- Their EMV before is in the total and in no row; of labels, that of posts whose labels are all gone, each once.
create or replace temp table emv_gone as
with groups as (
  select before.dimension, before.workspace, before.profile_id, before.name, before.emv
  from emv_sums as before
  anti join emv_groups using (dimension, workspace, profile_id, name)
  where not is_current and not is_monthly and dimension <> 'all'
),
counted as (
  select dimension, count(*) as n, bool_or(name = '(none)') as has_unnamed, exact_sum(emv) as emv
  from groups
  group by dimension
),
labelled as (
  select exact_sum(emv) as emv
  from report_previous
  where not exists (
    select 1
    from emv_groups
    where dimension = 'label'
      and case when len(labels) = 0 then name = '(none)' else list_contains(labels, name) end
  )
)
select
  counted.dimension,
  case
    when has_unnamed and n = 1 then 'Posts without a ' || dimension || ' were there'
    when n - has_unnamed::bigint = 1 then '{n:count} ' || dimension
    else '{n:count} ' || dimension || 's'
  end
    || case when has_unnamed and n > 1 then ' and posts without one' else '' end
    || case when has_unnamed and n = 1 then '' else ' had posts' end
    || ' only in the period that is compared with: {gone_emv:money} of EMV before is in the total and in no row.'
    as text,
  n - has_unnamed::bigint as n,
  case when dimension = 'label' then labelled.emv else counted.emv end as gone_emv
from counted
cross join labelled;

create or replace temp table emv_ranks as
select
  workspace,
  linkedin_post_id,
  emv,
  row_number() over (
    order by emv desc, impression_count desc nulls last, published_at nulls last, workspace, linkedin_post_id
  ) as rank,
  -- with a negative EMV among them, parts can exceed the whole
  min(emv) over () >= 0 as are_parts
from report_posts
where emv is not null;

-- What the ranks would be at one CPM for all: those of a workbook whose CPM is changed.
create or replace temp table emv_impression_ranks as
select
  workspace,
  linkedin_post_id,
  impression_count,
  row_number() over (
    order by impression_count desc, published_at nulls last, workspace, linkedin_post_id
  ) as rank,
  min(impression_count) over () >= 0 as are_parts
from report_posts
where impression_count is not null;
