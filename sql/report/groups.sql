-- grain: one post of either period under one of its groups (report_members); macros give one group, or one group in one month
-- key: is_current, dimension, part_of, group_workspace, group_id, name, workspace, linkedin_post_id
-- reads: goal_of, in_scope, next_by, report_figures, report_months, report_packed, report_posts, report_removed, report_settings, report_targets, report_thirteen_months, report_times, report_week_span, target_of
--
-- Every "by …" section and every total is made from these. dimensions are those of
-- reports/shared.yaml, and pairs such as 'campaign profile', whose part_of is the name of the first. scope is 'posts', 'videos', or
-- 'campaign posts' (posts that belong to a campaign). is_current is true for posts of the report's period and false for
-- those of the comparison period, whose months and weeks are shifted onto those of the report's period; month is null if
-- the two do not line up. If some profiles were not read in both periods, only the
-- groups of those that were have members of the comparison period, and `like_for_like` contains the posts of these
-- profiles alone. `source` is the name of a table created by `create table … as from sums_by(…)`.
create or replace temp macro members_of(scope, dimensions) as table
with wanted as (
  select
    unnest(list_distinct(dimensions) || case when list_contains(dimensions, 'all') then ['like_for_like'] else [] end) as dimension,
    string_split(dimension, ' ') as parts,
    case when len(parts) = 2 then parts[1] end as first_part,
    parts[-1] as last_part,
    list_contains(parts, 'profile') as is_of_profile
),
outer_names as (
  select
    report_packed.*,
    wanted.*,
    unnest(case when first_part is null then [''] else names_of(first_part, post) end) as outer_name
  from report_packed
  cross join wanted
  where case scope when 'videos' then type = 'Video' when 'campaign posts' then campaign is not null else true end
),
members as (
  select *, unnest(names_of(last_part, post)) as inner_name
  from outer_names
)
select
  * exclude (post, parts, first_part, last_part, is_of_profile, outer_name, inner_name),
  case when first_part = 'profile' then profile_name else outer_name end as part_of,
  case when is_of_profile or dimension = 'post' then workspace else '' end as group_workspace,
  case when is_of_profile then profile_id when dimension = 'post' then linkedin_post_id else '' end as group_id,
  case when last_part = 'profile' then profile_name else inner_name end as name
from members
cross join (select is_comparable from report_settings)
where is_current is not null and inner_name is not null and (is_current or is_comparable or group_id <> '' or dimension = 'like_for_like');

-- A quartile of the rates of a group of posts. All three are of one aggregate, whose values DuckDB keeps once.
create or replace temp macro rate_quartile(engagement, rate, number) as
  case when count(rate) >= 10 then (quantile_cont(engagement, [0.25, 0.5, 0.75]) filter (where rate is not null))[number] end;

-- The sums of each group and, if is_monthly is set, of each group in each month. unreadable: what could not be read of some
-- of its posts, and 'published_at' where posts that may be among them could not be placed (unreadable.sql).
create or replace temp macro all_sums_by(scope, dimensions) as table
select
  is_current,
  dimension,
  part_of,
  group_workspace as workspace,
  group_id as profile_id,
  name,
  grouping(month) = 0 as is_monthly,
  month,
  list_distinct(list_concat(
    flatten(list(unreadable) filter (where unreadable is not null)),
    case
      when len(list_filter(
        getvariable('_unplaced'),
        lambda what: what in ('undated', 'filtered') or contains(dimension, what) or (what = 'type' and scope = 'videos')
      )) > 0
        then ['published_at']
      else []
    end
  )) as unreadable,
  min(kind) as kind,
  count(*) as posts,
  count(emv) as posts_with_emv,
  count(impression_count) as posts_with_impressions,
  count(rate) as rated_posts,
  count(*) filter (where emv is not null and impression_count is not null) as posts_with_cpm,
  sum(impression_count) as impressions,
  sum(impression_count) filter (where emv is not null) as priced_impressions,
  exact_sum(engagements) as engagements,
  ratio_to_count(engagements, impression_count) as engagement_rate,
  sum(interactions) as interactions,
  sum(columns(getvariable('_interaction_pattern'))) as '\1s',
  sum(click_count) filter (where kind = 'page') as page_clicks,
  count(click_count) filter (where kind = 'page') as page_click_posts,
  sum(save_count) filter (where kind = 'member') as member_saves,
  count(save_count) filter (where kind = 'member') as member_save_posts,
  rate_quartile(engagement, rate, 1) as rate_p25,
  rate_quartile(engagement, rate, 2) as rate_p50,
  rate_quartile(engagement, rate, 3) as rate_p75,
  case when count(rate) filter (where kind = 'page') >= 10
    then median(engagement) filter (where rate is not null and kind = 'page') end as page_p50,
  case when count(rate) filter (where kind = 'member') >= 10
    then median(engagement) filter (where rate is not null and kind = 'member') end as member_p50,
  exact_sum(emv) as emv,
  ratio_to_count(emv, impression_count) * 1000 as effective_cpm,
  exact_sum(emv) / nullif(count(emv), 0) as emv_per_post,
  case when count(emv) >= 10 then median(emv) end as median_emv,
  count(*) filter (where type = 'Video') as videos,
  count(*) filter (where type = 'Video' and views is null) as videos_not_synced,
  count(*) filter (where views is not null and impression_count is not null) as videos_with_view_rate,
  count(*) filter (where views is not null and viewers is not null) as videos_with_viewers,
  count(*) filter (where views is not null and watch_time_seconds is not null) as videos_with_watch_time,
  sum(views) as views,
  sum(viewers) as viewers,
  sum(watch_time_seconds) as watch_time_seconds,
  ratio_of_counts(views, impression_count) as view_rate,
  ratio_of_counts(views, viewers) as views_per_viewer,
  ratio_of_counts(watch_time_seconds, views) as seconds_per_view,
  ratio_of_counts(watch_time_seconds, viewers) as seconds_per_viewer,
  ratio_of_sums(watch_time_seconds, views * video_seconds) as share_watched,
  min(day) as first_post,
  max(day) as last_post,
  count(*) filter (where is_outside_dates) as posts_outside_dates,
  -- counts of distinct values would be planned as a join for each of the two groupings
  coalesce(cardinality(histogram(campaign)), 0) as campaigns,
  cardinality(histogram(members.workspace || ' ' || members.profile_id)) as profiles,
  count(*) filter (where is_young) as young_posts,
  sum(case when is_young then impression_count end) as young_impressions,
  exact_sum(case when is_young then engagements end) as young_engagements,
  exact_sum(case when is_young then emv end) as young_emv,
  sum(case when is_young then views end) as young_views
from members_of(scope, dimensions) as members
group by grouping sets (
  (is_current, dimension, part_of, group_workspace, group_id, name),
  (is_current, dimension, part_of, group_workspace, group_id, name, month)
);

-- The same, where a figure that could not be read of some posts of either period is unknown in the comparison period, as
-- if that had not been read.
create or replace temp macro sums_by(scope, dimensions) as table
with beside as (
  select
    *,
    flatten(list(unreadable) over (partition by dimension, part_of, workspace, profile_id, name, is_monthly, month)) as lacking
  from all_sums_by(scope, dimensions)
)
select
  columns(['is_current', 'dimension', 'part_of', 'workspace', 'profile_id', 'name', 'is_monthly', 'month', 'kind']),
  case
    when is_current
      or not is_spoiled(
        alias(columns(* exclude (is_current, dimension, part_of, workspace, profile_id, name, is_monthly, month, kind, unreadable, lacking))),
        lacking
      )
      then columns(* exclude (is_current, dimension, part_of, workspace, profile_id, name, is_monthly, month, kind, unreadable, lacking))
  end as '\0'
from beside;

-- The sums of posts, each group with those of its figures that stand beside the same group of the comparison period.
create or replace temp macro period_sums(source) as table
select
  * exclude (is_monthly, month),
  {
    'posts': posts,
    'impressions': impressions,
    'emv': emv,
    'engagement_rate': engagement_rate,
    'views': views
  } as compared
from query_table(source)
where not is_monthly;

-- What a group has beside the same group of the comparison period. Of groups that are not comparable, such as weeks of
-- unlike numbers of days, nothing is said to have changed.
create or replace temp macro beside(shown, previous, is_comparable) as {
  'previous_emv': (previous).emv,
  'emv_change': finite(case when is_comparable and (previous).emv > 0 then (shown).emv / (previous).emv - 1 end),
  'previous_impressions': (previous).impressions,
  'previous_rate': (previous).engagement_rate,
  'rate_change': case when is_comparable then (shown).engagement_rate - (previous).engagement_rate end,
  'previous_views': (previous).views,
  'views_change': case when is_comparable and (previous).views > 0 then (shown).views / (previous).views - 1 end,
  'previous_posts': (previous).posts
};

-- The groups of the period, each with its previous figures and its share of all EMV. trend: a figure by month, from the
-- first month with a post to the last; null for fewer than two months. figure: a column of the sums.
create or replace temp macro groups_of(source, figure) as table
with sums as (
  from period_sums(source)
),
shown as (
  from sums where is_current
),
monthly as (
  select *, columns(c -> c = figure)::double as value
  from query_table(source)
  where is_current and is_monthly
),
trends as (
  select
    dimension,
    part_of,
    workspace,
    profile_id,
    name,
    case
      when count(*) >= 2 and (figure <> 'emv' or count(value) > 0) then list(value order by month)
    end as trend
  from shown
  cross join report_months
  left join monthly using (dimension, part_of, workspace, profile_id, name, month)
  group by all
)
select
  shown.* exclude (is_current, compared),
  shown.emv / nullif((select emv from shown where dimension = 'all'), 0) as emv_share,
  unnest(beside(shown.compared, previous.compared, true)),
  shown.young_views as not_final,
  trends.trend
from shown
left join (from sums where not is_current) as previous using (dimension, part_of, workspace, profile_id, name)
left join trends using (dimension, part_of, workspace, profile_id, name);

-- The groups of a dimension of time, from the first to the last with a post, each beside its counterpart. Those without
-- posts have 0 posts. Posts without a time of publication are under an empty `start`. part: how much of each group the
-- report has, where some are not whole.
create or replace temp macro times_of(source, which) as table
with sums as (
  select nullif(name, '')::date as start, *
  from period_sums(source)
  where dimension = which
),
shown as (
  from sums where is_current
),
starts as (
  select start from shown
  union all
  select unnest([first_week, last_week])
  from report_week_span
  where which = 'week' and exists (from shown)
),
times as (
  select unnest(generate_series(min(start), max(start), next_by(which)))::date as start
  from starts
  union
  select start
  from shown
)
select
  times.start,
  part_beside(case when period_days = 0 then 'not read' else part end) as part,
  coalesce(report_times.is_whole, true) is false as is_part,
  shown.* exclude (start, is_current, dimension, part_of, workspace, profile_id, name, compared)
    replace (
      coalesce(shown.posts, 0) as posts,
      coalesce(shown.posts_with_emv, 0) as posts_with_emv,
      coalesce(shown.posts_with_impressions, 0) as posts_with_impressions,
      coalesce(shown.videos, 0) as videos,
      coalesce(shown.videos_not_synced, 0) as videos_not_synced
    ),
  shown.young_views as not_final,
  shown.emv / nullif(
    (select emv from query_table(source) where is_current and dimension = 'all' and not is_monthly), 0
  ) as emv_share,
  unnest(beside(shown.compared, previous.compared, coalesce(report_times.is_comparable, false))),
  -- a part of a month has no target, unless the rest of it is still to come
  case
    when times.start >= coalesce(latest_beginning, period_from, date '-infinity')
      and (times.start + next_by(which) - interval 1 day <= coalesce(period_to, date 'infinity') or period_to >= today - 1)
      then target_of('emv', which)
  end as emv_target,
  case when times.start is not null then target_of('engagement_rate', which) end as rate_target
from times
cross join report_settings
left join report_times on dimension = which and report_times.start = times.start and report_times.workspace = ''
left join shown on shown.start is not distinct from times.start
left join sums as previous on not previous.is_current and previous.start = times.start;

-- A figure by month of publication, over the 13 months that end with the last one of the period. is_period: the report is
-- about days of the month, within: what of the value lies in the period (a ratio lies in it if all of its days do). A month
-- that was not read whole has the figures of the days that were.
create or replace temp macro thirteen_months_of(scope, subject) as table
with posts as (
  select
    date_trunc('month', day)::date as month,
    is_current,
    is_young,
    divisor is null as is_sum,
    amount_of(dividend, post) as a,
    case when divisor is null then 1 else amount_of(divisor, post) end as b
  from report_packed
  cross join (from report_figures where name = subject) as figures
  where is_current is not false and case scope when 'videos' then type = 'Video' else true end
),
sums as (
  select
    month,
    count(*) as posts,
    exact_sum(case when b is not null then a end) as total,
    finite(total / case when any_value(is_sum) then 1 else exact_sum(case when a is not null then b end) end) as value,
    any_value(is_sum) as is_sum,
    exact_sum(case when is_current then a end) as within,
    exact_sum(case when is_young then a end) as young
  from posts
  group by month
)
select
  months.*,
  part_beside(known_part) as part,
  case when is_read then coalesce(posts, 0) else posts end as posts,
  value,
  case when is_sum then within when is_of_period_alone then value end as within,
  young,
  target_of(subject, 'month') as target
from report_thirteen_months as months
left join sums using (month)
order by month;

-- One row for each period. A comparison period that was not read for every profile has none, because it is not the same
-- as a period without posts.
create or replace temp macro totals_of(source, which) as table
with periods as (
  select unnest([true, false]) as is_current
)
select sums.* replace (
  periods.is_current as is_current,
  if(sums.dimension is null, 0, sums.posts) as posts,
  if(sums.dimension is null, 0, sums.posts_with_emv) as posts_with_emv,
  if(sums.dimension is null, 0, sums.posts_with_impressions) as posts_with_impressions,
  if(sums.dimension is null, 0, sums.rated_posts) as rated_posts,
  if(sums.dimension is null, 0, sums.videos) as videos,
  if(sums.dimension is null, 0, sums.videos_not_synced) as videos_not_synced,
  if(sums.dimension is null, 0, sums.posts_outside_dates) as posts_outside_dates,
  if(sums.dimension is null, 0, sums.campaigns) as campaigns,
  if(sums.dimension is null, 0, sums.profiles) as profiles,
  if(sums.dimension is null, 0, sums.young_posts) as young_posts
)
from periods
cross join report_settings
left join query_table(source) as sums
  on sums.is_current = periods.is_current and sums.dimension = which and not sums.is_monthly
where periods.is_current or is_comparable;

-- The figures of a dimension that has one group, such as 'all', a row each: of the group, and of the group in each month.
create or replace temp macro figures_of(source, which) as table
from (
  unpivot (
    select
      is_current,
      is_monthly,
      month,
      columns(* exclude (
        is_current, is_monthly, month, dimension, part_of, workspace, profile_id, name, kind, first_post, last_post
      ))::double
    from query_table(source)
    where dimension = which
  )
  on columns(* exclude (is_current, is_monthly, month))
  into name figure value value
);

-- One figure of such a dimension in both periods, and its change, in points for a rate or else relative to the previous
-- value. 'like_for_like' has figures if some profiles were not read in both periods: those among the profiles that were.
create or replace temp macro changes_of(source, which) as table
select
  figure,
  any_value(value) filter (where is_current) as shown,
  any_value(value) filter (where not is_current) as previous,
  finite(
    case
      when ends_with(figure, '_rate') then shown - previous
      when previous > 0 then shown / previous - 1
    end
  ) as change
from figures_of(source, which)
where not is_monthly
group by figure;

-- One row: the sum of the figure that a document leads with instead of its own, and the sentence that says it ({whole:count}
-- posts); null for one that no sentence names.
create or replace temp macro leading_total(source) as table
select max(value)::double as led
from figures_of(source, 'all')
where is_current and not is_monthly and figure = getvariable('_leading');

create or replace temp macro led_text() as
  case getvariable('_leading')
    when 'emv' then ' {whole|It|They} earned **{led:money}** of media value.'
    when 'impressions' then ' {whole|It|They} got **{led:count}** {led|impression|impressions}.'
    when 'interactions' then ' {whole|It|They} brought **{led:count}** {led|interaction|interactions}.'
    when 'views' then ' {whole|It was|They were} viewed **{led:count}** {led|time|times}.'
    when 'watch_time_seconds' then ' {whole|It was|They were} watched for **{led:duration}**.'
    else ''
  end;

-- One row: how a figure of all posts differs from the comparison period (compared), or among the profiles that were read in
-- both, and how near it is to its target (goal): phrases, with the values that they name. A difference by no more than
-- rounding is none, and one of over 999% is said by the previous figure, as in tables.
create or replace temp macro standing_of(source, subject) as table
with figures as (
  select
    coalesce(own.change, alike.change) as change,
    coalesce(own.previous, alike.previous) as before,
    own.previous is not null as has_before,
    own.shown / nullif(target, 0) as reached,
    target,
    elapsed,
    comparison,
    among,
    profiles_comparable
  from report_settings
  left join (from changes_of(source, 'all') where figure = subject) as own on true
  left join (from changes_of(source, 'like_for_like') where figure = subject) as alike on true
  left join (from report_targets where figure = subject) as targets on true
)
select
  * exclude (has_before),
  abs(change) as distance,
  case
    when abs(change) < 0.0005 and subject = 'engagement_rate' then ', as in {comparison:phrase}{among:phrase}'
    when abs(change) < 0.0005 and subject = 'views' then ', as often as in {comparison:phrase}{among:phrase}'
    when abs(change) < 0.0005 and subject = 'emv' then ', as much as in {comparison:phrase}{among:phrase}'
    when abs(change) < 0.0005 then ', as many as in {comparison:phrase}{among:phrase}'
    -- of the profiles that were read in both periods the change of their rate alone is known
    when subject = 'engagement_rate' and not has_before then ', {change:pp} compared with {comparison:phrase}{among:phrase}'
    when subject = 'engagement_rate' and change > 0 then ', up from {before:rate} in {comparison:phrase}'
    when subject = 'engagement_rate' then ', down from {before:rate} in {comparison:phrase}'
    when is_from_little(change) and subject = 'emv' then ', from {before:money} in {comparison:phrase}{among:phrase}'
    when is_from_little(change) then ', from {before:count} in {comparison:phrase}{among:phrase}'
    when change > 0 then ', {distance:share} more than in {comparison:phrase}{among:phrase}'
    when subject in ('emv', 'views', 'watch_time_seconds') then ', {distance:share} less than in {comparison:phrase}{among:phrase}'
    else ', {distance:share} fewer than in {comparison:phrase}{among:phrase}'
  end as compared,
  goal_of(subject, target, elapsed) as goal
from figures;

-- One row: the totals of the period, those of the comparison period (previous_…; unknown where it was not read of every
-- profile), what was removed (removed_…; …_of_removed are phrases), the changes like for like (…_change_like_for_like), and
-- the posts that sentences count. mixture: a sentence, if views of pages and of members are added up.
create or replace temp macro summary_of(source, scope) as table
with shown as (
  select * exclude (is_current)
  from totals_of(source, 'all')
  where is_current
),
previous as (
  select columns(* exclude (is_current)) as 'previous_\0'
  from totals_of(source, 'all')
  where not is_current
),
removed as (
  select
    count(*) as removed_posts,
    sum(impression_count) as removed_impressions,
    exact_sum(engagements) as removed_engagements,
    exact_sum(emv) as removed_emv,
    sum(video_view_count) filter (where type = 'Video') as removed_views,
    ' ({removed_engagements:count} {removed_engagements|engagement|engagements})' as engagements_of_removed,
    ' ({removed_views:count} {removed_views|view|views})' as views_of_removed
  from report_removed
  where in_scope(scope, type, campaign)
),
counted as (
  select
    count(*) filter (where engagements is null) as without_engagement,
    count(*) filter (where video_view_count is not null and impression_count is null) as without_impressions,
    count(*) filter (where engagement > 1) as above_one,
    count(*) filter (where published_at is null) as without_time,
    count(*) filter (where has_negative_count) as negative,
    count(*) filter (where emv < 0) as negative_emv,
    count(*) filter (where emv_source = 'profile_cpm') as by_profile_cpm,
    case when count(distinct kind) filter (where video_view_count is not null) > 1
      then 'A view counts from 3 seconds on pages and from 2 on members’ posts; these figures combine both.' end as mixture
  from report_posts
  where in_scope(scope, type, campaign)
),
alike as (
  select
    any_value(change) filter (where figure = 'emv') as emv_change_like_for_like,
    any_value(change) filter (where figure = 'impressions') as impressions_change_like_for_like,
    any_value(change) filter (where figure = 'engagement_rate') as engagement_rate_change_like_for_like,
    any_value(change) filter (where figure = 'engagements') as engagements_change_like_for_like,
    any_value(change) filter (where figure = 'views') as views_change_like_for_like
  from changes_of(source, 'like_for_like')
)
from shown
left join previous on true
cross join removed
cross join counted
cross join alike;
