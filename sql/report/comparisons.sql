-- grain: none, table macros; one figure and a span (report_unreadable_figures)
-- reads: report_dimensions, report_figures, report_packed, report_placed, report_settings, report_unreadable_figures
--
-- Compares groups of five posts or more. Pages and members (kind, views.sql) engage at rates that differ several times, so
-- a group's posts are compared only with other posts of the same kind; posts of unknown kind are a kind of their own.
-- dimensions and figures are those of reports/shared.yaml. Posts whose details were not read are neither in a group that
-- needs them nor among its others. Posts are those of the period, or of the 12 months up to its end (over_year), as far as
-- these were read. `source` is the name of a table created by `create table … as from compared_by_kind(…)` or
-- `compared_pairs(…)`.

-- The figures that could not be read of some posts of the period, of the comparison period ('previous') or of the 12 months
-- before the period ('earlier').
create or replace temp table report_unreadable_figures as
select distinct case is_current when true then 'period' when false then 'previous' else 'earlier' end as span, name as figure
from report_placed
cross join report_figures
where unreadable is not null
  and is_spoiled(name, unreadable)
union
select unnest(['period', 'previous']), name
from report_figures
where list_has_any(getvariable('_unplaced'), ['undated', 'filtered']);

-- One row for each post and pair of a dimension and a figure, with the figure a ÷ b and the names of its groups. pairs: a list
-- of {dimension, figure, scope}.
create or replace temp macro figures_by(pairs, over_year) as table
with wanted as (
  select distinct dimension, figures.name as figure, pairs.scope, dividend, divisor
  from (select unnest(pairs, recursive := true)) as pairs
  join report_figures as figures on figures.name = pairs.figure
),
posts as (
  select
    is_current,
    coalesce(kind, 'unknown') as kind,
    figure,
    dimension,
    list_filter(names_of(dimension, post), lambda name: name <> '') as names,
    amount_of(dividend, post) as a,
    case when divisor is null then 1 else amount_of(divisor, post) end as b
  from report_packed
  cross join wanted
  where is_current is not false
    and (scope = 'posts' or type = 'Video')
    and (is_current or (over_year and day >= (select compared_from from report_settings)))
    -- nothing is found in a figure that could not be read of some posts of the period
    and figure not in (select figure from report_unreadable_figures where span = 'period')
    and (is_current or figure not in (select figure from report_unreadable_figures where span = 'earlier'))
)
select figure, posts.dimension, posts.names, kind, a, b
from posts
left join report_dimensions as dimensions on dimensions.name = posts.dimension
where finite(a / b) is not null
  and (len(posts.names) > 0 or not coalesce(needs_details, false));

-- One row for each group of each pair and kind of profile: its posts beside the other posts of the kind. without_best and
-- without_worst are its ratio without the single post that raises or lowers it most. leads and trails: the group does
-- clearly better or worse than the others, whichever single post of either side is left out. whole: the sums of the group
-- over its kinds, and kinds: the number of kinds in the dimension, from which compared_groups judges.
create or replace temp macro compared_pairs(pairs, over_year := false) as table
with posts as (
  select * from figures_by(pairs, over_year)
),
members as (
  select figure, dimension, unnest(names) as name, kind, a, b from posts
),
sums as (
  select figure, dimension, name, kind, count(*) as posts, exact_sum(a) as a, exact_sum(b) as b
  from members
  group by figure, dimension, name, kind
),
extremes as (
  select
    figure,
    dimension,
    name,
    kind,
    min(finite((sums.a - members.a) / (sums.b - members.b))) as without_best,
    max(finite((sums.a - members.a) / (sums.b - members.b))) as without_worst
  from members
  join sums using (figure, dimension, name, kind)
  group by figure, dimension, name, kind
),
-- labels overlap: the others are summed by sets of names, since a difference of sums would keep rounding errors
sets as (
  select figure, dimension, names, kind, count(*) as posts, exact_sum(a) as a, exact_sum(b) as b
  from posts
  group by figure, dimension, names, kind
),
totals as (
  select figure, dimension, kind, sum(posts) as posts
  from sets
  group by figure, dimension, kind
),
-- only beside groups of five posts or more: of many hashtags most are of one or two
others as (
  select
    figure,
    dimension,
    name,
    kind,
    case when count(sets.a) = count(*) then exact_sum(sets.a) end as a,
    case when count(sets.b) = count(*) then exact_sum(sets.b) end as b
  from (
    select figure, dimension, name, kind
    from sums
    qualify sum(posts) over (partition by figure, dimension, name) >= 5
  )
  join sets using (figure, dimension, kind)
  where not coalesce(list_contains(names, name), false)
  group by figure, dimension, name, kind
),
-- the posts of the others are read only for the groups that differ from them without such a post
differing as (
  select figure, dimension, name, kind, others.a, others.b
  from others
  join extremes using (figure, dimension, name, kind)
  where is_clearly_more(without_best, finite(others.a / others.b), figure)
    or is_clearly_more(finite(others.a / others.b), without_worst, figure)
),
extremes_of_others as (
  select
    figure,
    dimension,
    name,
    kind,
    min(finite((differing.a - posts.a) / (differing.b - posts.b))) as without_best,
    max(finite((differing.a - posts.a) / (differing.b - posts.b))) as without_worst
  from differing
  join posts using (figure, dimension, kind)
  where not coalesce(list_contains(names, name), false)
  group by figure, dimension, name, kind
),
by_kind as (
  select
    figure,
    dimension,
    name,
    kind,
    sums.posts,
    sums.a,
    sums.b,
    totals.posts - sums.posts as posts_without,
    finite(others.a / others.b) as ratio_without,
    extremes.without_best,
    extremes.without_worst,
    is_clearly_more(extremes.without_best, extremes_of_others.without_worst, figure) as leads,
    is_clearly_more(extremes_of_others.without_best, extremes.without_worst, figure) as trails,
    least(sums.posts, posts_without) >= 5 and finite(sums.a / sums.b) is not null and ratio_without is not null as is_judged
  from sums
  join extremes using (figure, dimension, name, kind)
  join totals using (figure, dimension, kind)
  left join others using (figure, dimension, name, kind)
  left join extremes_of_others using (figure, dimension, name, kind)
),
groups as (
  select
    figure,
    dimension,
    name,
    sum(posts)::bigint as posts,
    sum(posts_without)::bigint as posts_without,
    -- the sum of a group is unknown where that of one of its kinds is
    case when count(a) = count(*) and count(b) = count(*) then finite(exact_sum(a) / exact_sum(b)) end as ratio,
    case when count(ratio_without) = count(*)
      then finite(exact_sum(ratio_without * b) / exact_sum(b)) end as expected,
    finite(exact_sum(case when is_judged then a end) / exact_sum(case when is_judged then b end)) as judged_ratio,
    finite(
      exact_sum(case when is_judged then ratio_without * b end) / exact_sum(case when is_judged then b end)
    ) as judged_without,
    coalesce(bool_and(leads) filter (where is_judged), false) as leads,
    coalesce(bool_and(trails) filter (where is_judged), false) as trails,
    coalesce(bool_or(is_judged and kind = 'page'), false) as is_among_pages,
    coalesce(bool_or(is_judged and kind = 'member'), false) as is_among_members,
    coalesce(bool_or(is_judged and kind = 'unknown'), false) as is_among_others
  from by_kind
  group by figure, dimension, name
)
select by_kind.* exclude (is_judged), groups as whole, kinds
from by_kind
join groups using (figure, dimension, name)
join (select figure, dimension, count(distinct kind) as kinds from by_kind group by figure, dimension) using (figure, dimension);

-- The comparison by one figure.
create or replace temp macro compared_by_kind(dimensions, subject, over_year := false) as table
from compared_pairs(list_transform(dimensions, lambda one: {'dimension': one, 'figure': subject, 'scope': 'posts'}), over_year := over_year);

-- One row for each group of each dimension and figure of the source, beside the others. ratio_without is the ratio that
-- its posts would have at the others' ratios, kind by kind. is_finding: the group does clearly better than the others
-- within each kind that has five posts on either side, and also without any single post. is_clear: it does so, or it does
-- clearly worse. What a finding says is of these kinds alone: judged_…, and within, which names them.
create or replace temp macro compared_groups(source, minimum) as table
with groups as (
  select figure, kinds, unnest(whole)
  -- each kind of a group has the same `whole`; DuckDB loses groups where distinct and unnest stand in one select
  from (select distinct figure, kinds, whole from query_table(source))
),
judged as (
  select
    *,
    least(posts, posts_without) >= minimum and expected is not null as is_compared,
    case when is_compared then expected end as ratio_without,
    leads and is_clearly_more(ratio, ratio_without, figure) as does_better
  from groups
)
select
  figure,
  dimension,
  name,
  posts,
  posts_without,
  is_compared,
  ratio,
  ratio_without,
  ratio - ratio_without as lift,
  finite(ratio / ratio_without) as factor,
  judged_ratio,
  judged_without,
  case when judged_without > 0 then finite(judged_ratio / judged_without) end as judged_factor,
  does_better,
  does_better and is_clearly_more(judged_ratio, judged_without, figure) as is_finding,
  does_better or (trails and is_clearly_more(ratio_without, ratio, figure)) as is_clear,
  -- a phrase
  case
    when kinds <= 1 then ''
    when is_among_others then null
    when is_among_pages and is_among_members then ', among both pages and members'
    when is_among_pages then ', among pages'
    when is_among_members then ', among members'
    else ''
  end as within
from judged;

-- The groups of one dimension, as compared_groups has them.
create or replace temp macro compared_of(source, which, minimum) as table
select * exclude (figure, dimension)
from compared_groups(source, minimum)
where dimension = which;

-- The groups of a dimension beside others: how they differ, or why they are not compared. groups: a table created by
-- `create table … as from groups_of(…)`.
create or replace temp macro judged_of(groups, source, which) as table
with shown as (
  select
    case which when 'profile' then workspace || ' ' || profile_id else name end as judged_name,
    rated_posts
  from query_table(groups)
  where dimension = which
)
select
  judged_name,
  ratio_without as rate_rest,
  ratio_without as rate_without,
  lift,
  factor as lift_factor,
  case
    when is_compared then null
    when regexp_replace(source, '^report_compared_by_', '') in (select figure from report_unreadable_figures where span = 'period')
      then 'could not be read'
    when rated_posts < 10 then 'not enough posts (' || rated_posts || ')'
    when coalesce(posts_without, 0) < 10 then 'not enough other posts (' || coalesce(posts_without, 0) || ')'
    else 'no other posts of pages, or of members'
  end as not_compared,
  coalesce(posts_without, 0) as rated_posts_without,
  coalesce(is_clear, false) as is_clear
from shown
left join compared_of(source, which, 10) as compared on compared.name = judged_name;

-- One row for each group, by its sum, the largest first. leads: the group stays clearly first without its largest post.
create or replace temp macro ranked_sums(which, subject) as table
with posts as (
  select names, a from figures_by([{'dimension': which, 'figure': subject, 'scope': 'posts'}], false)
),
members as (
  select unnest(names) as name, a from posts
),
sums as (
  select name, exact_sum(a) as total, exact_sum(a) - max(a) as without_largest, max(a) as largest
  from members
  where name is not null and name <> '(none)'
  group by name
),
whole as (
  select exact_sum(a) as total, min(a) as least, count(*) as posts from posts
)
select
  name,
  sums.total,
  largest,
  without_largest,
  case when whole.least >= 0 then finite(sums.total / whole.total) end as share,
  case when whole.least >= 0 then finite(without_largest / (whole.total - largest)) end as share_without_largest,
  row_number() over (order by sums.total desc, name) as rank,
  count(*) over () as groups,
  whole.posts as posts_in_all,
  is_clearly_more(without_largest, lead(sums.total) over (order by sums.total desc, name), subject) as leads
from sums
cross join whole
where sums.total > 0;

-- One row for each pair of groups, over the 12 months up to the end of the period: its posts, their figure, and the posts
-- that the figure is over.
create or replace temp macro pairs_over_year(scope, first, second, subject) as table
with posts as (
  select
    linkedin_post_id,
    unnest(names_of(first, post)) as part_of,
    names_of(second, post) as inner_names,
    amount_of(dividend, post) as a,
    case when divisor is null then 1 else amount_of(divisor, post) end as b
  from report_packed
  cross join (from report_figures where name = subject) as figures
  cross join report_settings
  where is_current is not false
    and (is_current or day >= compared_from)
    and case scope when 'videos' then type = 'Video' else true end
),
pairs as (
  select *, unnest(inner_names) as name, finite(a / b) is not null as is_known
  from posts
)
select
  part_of,
  name,
  count(linkedin_post_id) as posts,
  finite(exact_sum(case when is_known then a end) / exact_sum(case when is_known then b end)) as value,
  count(*) filter (where is_known) as counted
from pairs
group by part_of, name;
