-- grain: none, macros: the sentence, the notes and the basis of one section by a dimension
-- reads: report_dimensions, report_figures, report_packed, report_placed, report_settings
--
-- What a section of report.yaml with `by` says beside its rows. which is its dimension, subject its figure.

-- The groups that do clearly better (is_finding) or clearly worse than the others, of each dimension and figure of the
-- source, each with its sentence. source: see compared_of.
create or replace temp macro findings_of(source) as table
select
  figure,
  dimension,
  is_finding,
  '{said:phrase}{over:phrase}' as text,
  case when judged_factor < 1 then figures.below else figures.sentence end as said,
  dimensions.sentence as group,
  coalesce(profile_name, groups.name) as name,
  case when groups.name ilike '%post' then groups.name || 's' else groups.name || ' posts' end as posts_of_type,
  judged_ratio as ratio,
  judged_without as others,
  judged_factor as factor,
  1 - judged_factor as less,
  within,
  over,
  compared_months,
  compared_to,
  compared_posts
from compared_groups(source, 10) as groups
join report_dimensions as dimensions on dimensions.name = dimension
join report_figures as figures on figures.name = figure
left join (
  select workspace || ' ' || profile_id as name, any_value(profile_name) as profile_name
  from report_placed
  group by all
) as profiles
  on dimension = 'profile' and profiles.name = groups.name
where groups.name not in ('', '(none)')
  and judged_factor > 0
  -- nothing is said where some of the others have no kind
  and within is not null
  and (is_finding or (not does_better and is_clear and is_clearly_more(judged_without, judged_ratio, figure)));

-- At most one row: the group that does clearly better than the others, most of all by its factor.
create or replace temp macro finding_of(source, which, subject) as table
select * exclude (figure, dimension, is_finding)
from findings_of(source)
where figure = subject and dimension = which and is_finding
order by factor desc, group_order(which, name), name
limit 1;

-- The posts that a figure is about, each with its names of a dimension.
create or replace temp macro posts_of(which, subject) as table
select is_current, is_young, kind, views, post, figures.*, names_of(which, post) as own_names
from report_packed
cross join (from report_figures where name = subject) as figures
where scope = 'posts' or type = 'Video';

-- At most one row: the months over which the groups of a dimension are compared where the period has too few posts.
create or replace temp macro over_note(source, which) as table
select 8 as position, 'Groups are compared with other posts{over:phrase}.' as text, over, compared_months, compared_to, compared_posts
from compared_of(source, which, 10)
where is_over_year and is_compared
limit 1;

-- At most one row: the groups that have posts in the comparison period alone, which are in its total but in no row.
create or replace temp macro gone_note(which, subject) as table
with posts as (
  from posts_of(which, subject)
),
shown as (
  select coalesce(list_distinct(flatten(list(own_names))), []) as shown_names
  from posts
  where is_current
),
gone as (
  select
    amount_of(dividend, post) as amount,
    own_names,
    list_filter(own_names, lambda name: not list_contains(shown_names, name)) as gone_names
  from posts
  cross join shown
  cross join report_settings
  where not is_current and is_comparable
)
select
  '{gone|One group|# groups} had posts only in the comparison period: its total includes {missed:phrase} of {gone|this group|these groups}, which {gone|has|have} no row.' as text,
  nullif(len(list_distinct(flatten(list(gone_names)))), 0) as gone,
  (select sum from report_figures where name = subject) as missed,
  nullif(exact_sum(case when len(gone_names) = len(own_names) then amount end), 0) as amount
from gone;

-- At most one row: the first and the last week or quarter with a post, if the period cuts them.
create or replace temp macro partial_ends(grain, subject) as table
with ends as (
  select
    -- an expression is computed for other dimensions, too
    case grain when 'quarter' then 'quarter' else 'week' end as unit,
    first_start < period_from as is_first_cut,
    last_start + next_by(unit) > last_day + 1 as is_last_cut,
    first_start = last_start as is_one
  from (select *, case when period_to is not null then least(period_to, today - 1) end as last_day from report_settings)
  cross join (
    select min(nullif(own_names[1], ''))::date as first_start, max(nullif(own_names[1], ''))::date as last_start
    from posts_of(grain, subject)
    where is_current
  )
)
select
  case
    when is_one and grain = 'week' then 'The week is partial.'
    when is_one then 'The quarter is partial.'
    when grain = 'week' and is_first_cut and is_last_cut then 'The first and last weeks are partial.'
    when grain = 'week' and is_first_cut then 'The first week is partial.'
    when grain = 'week' and is_last_cut then 'The last week is partial.'
    when is_first_cut and is_last_cut then 'The first and last quarters are partial.'
    when is_first_cut then 'The first quarter is partial.'
    else 'The last quarter is partial.'
  end as text
from ends
where grain in ('week', 'quarter') and (is_first_cut or is_last_cut);

-- One sentence of a list, in the page's order.
create or replace temp macro notes_of(which, subject) as table
with posts as (
  from posts_of(which, subject)
),
counted as (
  select
    any_value(scope) as scope,
    count(distinct kind) filter (where views is not null) as kinds,
    nullif(count(*) filter (where len(own_names) > 1), 0) as several,
    nullif(count(*) filter (where len(own_names) = 0), 0) as unread,
    count(*) filter (where len(own_names) > 0) as read,
    nullif(count(*) filter (where is_young), 0) as young
  from posts
  where is_current
),
before as (
  select count(*) > 0 as has_previous
  from posts
  cross join (select is_comparable from report_settings)
  where not is_current and is_comparable
)
select
  unnest([1, 3, 4, 5, 7]) as position,
  unnest([
    case when scope = 'videos' and kinds > 1
      then 'A view counts from 3 seconds on pages and from 2 on members’ posts; these figures combine both.' end,
    case when which = 'label' then '{several:count} {several|post has|posts have} several labels and {several|counts|count} under each, so rows can add up to more than the total.' end,
    case when needs_details and read > 0
      then '{unread:count} {unread|post|posts} of which this is not known {unread|is|are} excluded.' end,
    case when sort = 'time' then '{young:count} {young|post is|posts are} less than 14 days old and still growing.' end,
    case when which = 'week' and has_previous
      then 'Each week is compared with the week at the same point of the comparison period.' end
  ]) as text,
  several,
  unread,
  young
from counted
cross join before
cross join (from report_dimensions where name = which) as dimensions
union all by name
select 2 as position, *
from gone_note(which, subject)
where (select sort from report_dimensions where name = which) = 'figure'
union all by name
select 6 as position, text
from partial_ends(which, subject)
order by position;

-- One row for each section: what it rests on. sections: a list of {section, dimension, figure}.
create or replace temp macro bases_of(sections) as table
with wanted as (
  select *
  from (select unnest(sections, recursive := true))
  join (select name as dimension, groups, needs_details from report_dimensions) using (dimension)
  join (select name as figure, scope, dividend, divisor, basis from report_figures) using (figure)
),
posts as (
  select
    section,
    names_of(dimension, post) as own_names,
    isfinite(amount_of(dividend, post) / case when divisor is null then 1 else amount_of(divisor, post) end) as is_known
  from report_packed
  cross join wanted
  where is_current and (scope = 'posts' or type = 'Video')
),
counted as (
  select
    section,
    count(distinct name) filter (where name <> '(none)') as groups_found,
    count(name) filter (where position = 1) as detailed,
    count(*) filter (where position = 1 and is_known) as known
  -- a post under several names has a row for each
  from (
    select
      section,
      is_known,
      unnest(case when len(own_names) > 0 then own_names else [null] end) as name,
      generate_subscripts(case when len(own_names) > 0 then own_names else [null] end, 1) as position
    from posts
  )
  group by section
)
select
  section,
  coalesce(groups, case when needs_details then 'n = {n:count} {n|post|posts} with details' else basis end) as text,
  nullif(case when groups is not null then groups_found when needs_details then detailed else known end, 0) as n
from wanted
left join counted using (section);

-- What one section rests on, of a report that names its dimension and figure.
create or replace temp macro basis_of(which, subject) as table
select text, n
from bases_of([{'section': '', 'dimension': which, 'figure': subject}]);

-- The same for the groups of a table of the report's own; none where the dimension does not count its groups.
create or replace temp macro groups_basis(source, which) as table
select any_value(dimensions.groups) as text, nullif(count(*) filter (where own.name <> '(none)'), 0) as n
from query_table(source) as own
cross join (from report_dimensions where name = which) as dimensions
where own.dimension = which
having text is not null;
