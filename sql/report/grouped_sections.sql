-- grain: none, macros: the sentence, the notes and the basis of one section by a dimension
-- reads: compared_groups, lacking_text, report_coverage, report_dimensions, report_lacking, report_figures, report_packed, report_settings, report_times, report_week_span
--
-- What a section of report.yaml with `by` says beside its rows. which is its dimension, subject its figure.

create or replace temp macro scope_of(subject) as (select scope from report_figures where name = subject);

-- The groups that do clearly better (is_finding) or clearly worse than the others, of each dimension and figure of the
-- source, each with its sentence. source: see compared_of.
create or replace temp macro findings_of(source) as table
select
  figure,
  dimension,
  is_finding,
  case when judged_factor < 1 then figures.below else figures.sentence end as text,
  dimensions.sentence as group,
  coalesce(report_coverage.profile, groups.name) as name,
  case when groups.name ilike '%post' then groups.name || 's' else groups.name || ' posts' end as posts_of_type,
  judged_ratio as ratio,
  judged_without as others,
  judged_factor as factor,
  1 - judged_factor as less,
  within
from compared_groups(source, 10) as groups
join report_dimensions as dimensions on dimensions.name = dimension
join report_figures as figures on figures.name = figure
left join report_coverage on dimension = 'profile' and report_coverage.workspace || ' ' || report_coverage.profile_id = groups.name
where groups.name not in ('', '(none)')
  -- nothing is found in a part of a week or month
  and (dimension, groups.name) not in (
    select (dimension, start::varchar) from report_times where not is_whole and workspace = ''
  )
  and judged_factor > 0
  -- nothing is said where some of the others have no kind
  and within is not null
  -- what is said is what the row has: of a group with posts of a kind that is not judged its row has another figure
  and judged_ratio = ratio
  and (is_finding or (not does_better and is_clear and is_clearly_more(judged_without, judged_ratio, figure)));

-- At most one row for each section: the group that does clearly better than the others, most of all by its factor.
-- sections: a list of {section, dimension, figure}.
create or replace temp macro finding_by_section(source, sections) as table
select section, findings.* exclude (figure, dimension, is_finding)
from findings_of(source) as findings
join (select unnest(sections, recursive := true)) using (figure, dimension)
where is_finding
qualify row_number() over (partition by section order by factor desc, group_order(dimension, name), name) = 1;

-- The finding of one dimension and figure.
create or replace temp macro finding_of(source, which, subject) as table
select * exclude (section)
from finding_by_section(source, [{'section': '', 'dimension': which, 'figure': subject, 'scope': scope_of(subject)}]);

-- The notes of each section, one sentence a row, in the page's order. sections: a list of {section, dimension, figure, scope}.
create or replace temp macro notes_by_section(sections) as table
with wanted as (
  select *
  from (select unnest(sections, recursive := true))
  join (select name as dimension, sort, needs_details from report_dimensions) using (dimension)
  join (select name as figure, dividend, sum from report_figures) using (figure)
),
posts as (
  select
    section,
    is_current,
    is_young,
    kind,
    views,
    names_of(dimension, post) as own_names,
    amount_of(dividend, post) as amount
  from report_packed
  cross join wanted
  where scope = 'posts' or type = 'Video'
),
counted as (
  select
    section,
    count(distinct kind) filter (where is_current and views is not null) as kinds,
    nullif(count(*) filter (where is_current and len(own_names) > 1), 0) as several,
    nullif(count(*) filter (where is_current and len(own_names) = 0), 0) as unread,
    count(*) filter (where is_current and len(own_names) > 0) as read,
    nullif(count(*) filter (where is_current and is_young), 0) as young,
    bool_or(not is_current) as has_previous,
    coalesce(list_distinct(flatten(list(own_names) filter (where is_current))), []) as shown_names,
    min(try_cast(own_names[1] as date)) filter (where is_current) as first_start,
    max(try_cast(own_names[1] as date)) filter (where is_current) as last_start
  from posts
  group by section
),
-- the groups that have posts in the comparison period alone, which are in its total but in no row
gone as (
  select
    section,
    nullif(len(list_distinct(flatten(list(gone_names)))), 0) as gone,
    nullif(exact_sum(case when len(gone_names) = len(own_names) then amount end), 0) as amount
  from (
    select section, amount, own_names, list_filter(own_names, lambda name: not list_contains(shown_names, name)) as gone_names
    from posts
    join counted using (section)
    cross join report_settings
    where not is_current and is_comparable
  )
  group by section
),
described as (
  select
    wanted.*,
    counted.* exclude (section),
    gone,
    gone.amount,
    has_previous and is_comparable as is_compared,
    nullif(
      (
        select count(*)
        from report_times
        where report_times.dimension = wanted.dimension and workspace = '' and not is_whole
          and start between case when wanted.dimension = 'week' then least(first_start, first_week) else first_start end
            and case when wanted.dimension = 'week' then greatest(last_start, last_week) else last_start end
      ),
      0
    ) as parts
  from wanted
  join counted using (section)
  left join gone using (section)
  cross join report_settings
  cross join report_week_span
),
said as (
  select
    section,
    unnest([
      case when scope = 'videos' and kinds > 1
        then 'A view counts from 3 seconds on pages and from 2 on members’ posts; these figures combine both.' end,
      case when sort = 'figure'
        then 'The total before includes {missed:phrase} of {gone|a group|# groups} without posts in this period, which {gone|has|have} no row.' end,
      case when dimension = 'label' then '{several:count} {several|post has|posts have} several labels and {several|counts|count} under each, so rows can add up to more than the total.' end,
      case when needs_details and read > 0
        then '{unread:count} {unread|post|posts} of which this is not known {unread|is|are} excluded.' end,
      case when sort = 'time' then '{young:count} {young|post is|posts are} less than 14 days old and still growing.' end,
      case
        when sort = 'time' and dimension = 'week'
          then '{parts|One week is not whole: the table has its days|# weeks are not whole: the table has their days}.'
        when sort = 'time' and dimension = 'month'
          then '{parts|One month is not whole: the table has its days|# months are not whole: the table has their days}.'
        when sort = 'time' and dimension = 'quarter'
          then '{parts|One quarter is not whole: the table has its days|# quarters are not whole: the table has their days}.'
      end,
      case when dimension = 'week' and is_compared
        then 'Each week is compared with the week at the same point of the comparison period.' end
    ]) as text,
    unnest([1, 2, 3, 4, 5, 6, 7]) as position,
    gone,
    sum as missed,
    amount,
    several,
    unread,
    parts,
    young
  from described
  union all by name
  -- where posts with and without it stand beside each other
  select
    section,
    lacking_text() as text,
    8 + report_lacking.position as position,
    metric,
    priced,
    posts as lacking
  from wanted
  join report_lacking on figure = 'emv' and sort = 'figure' and posts between 1 and priced - 1
)
select *
from said
where text is not null;

-- The notes of one dimension and figure.
create or replace temp macro notes_of(which, subject) as table
select * exclude (section)
from notes_by_section([{'section': '', 'dimension': which, 'figure': subject, 'scope': scope_of(subject)}])
order by position;

-- One row for each section: what it rests on. sections is the same list.
create or replace temp macro basis_by_section(sections) as table
with wanted as (
  select *
  from (select unnest(sections, recursive := true))
  join (select name as dimension, noun, needs_details from report_dimensions) using (dimension)
  join (select name as figure, dividend, divisor, basis from report_figures) using (figure)
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
  coalesce(noun, case when needs_details then 'n = {n:count} {n|post|posts} with details' else basis end) as text,
  nullif(case when noun is not null then groups_found when needs_details then detailed else known end, 0) as n
from wanted
left join counted using (section);

-- What one section rests on, of a report that names its dimension and figure.
create or replace temp macro basis_of(which, subject) as table
select text, n
from basis_by_section([{'section': '', 'dimension': which, 'figure': subject, 'scope': scope_of(subject)}]);

-- The same for the groups of a table of the report's own; none where the dimension does not count its groups.
create or replace temp macro groups_basis(source, which) as table
select any_value(dimensions.noun) as text, nullif(count(*) filter (where own.name <> '(none)'), 0) as n
from query_table(source) as own
cross join (from report_dimensions where name = which) as dimensions
where own.dimension = which
having text is not null;
