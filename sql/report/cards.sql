-- grain: none, one table macro
-- reads: aim_of, changes_of, figures_of, report_months, report_posts, report_settings, report_targets
--
-- Builds cards from a table of sums (groups.sql), in the order of `wanted`. Its fields are label, format, figure (a
-- column of the sums), cell (the column in the section summary, where previous_… holds the previous figure) and young
-- (the figure that makes a card "not final" if young posts have more than 2% of it; null for none). A comparison period
-- without posts has no sums. The basis of a ratio names the posts that it is over, if these are not all. If some
-- profiles were not read in both periods, the note has the change among those that were. The basis also says how near the
-- target of the period is, if the sums are those of all posts.
create or replace temp macro cards_of(source, which, wanted) as table
with cards as (
  select unnest(range(1, len(wanted) + 1)) as position, unnest(wanted, recursive := true)
),
ratios as (
  select *
  from (
    values
      ('engagement_rate', 'rated_posts', 'posts', '{part:count} {part|post|posts} with impressions and engagement'),
      ('emv_per_post', 'posts_with_emv', 'posts', '{part:count} {part|post|posts} with EMV'),
      ('median_emv', 'posts_with_emv', 'posts', '{part:count} {part|post|posts} with EMV'),
      ('effective_cpm', 'posts_with_cpm', 'posts', '{part:count} {part|post|posts} with EMV and impressions'),
      ('view_rate', 'videos_with_view_rate', 'videos', '{part:count} {part|video|videos} with views and impressions'),
      ('views_per_viewer', 'videos_with_viewers', 'videos', '{part:count} {part|video|videos} with views and viewers'),
      ('seconds_per_view', 'videos_with_watch_time', 'videos', '{part:count} {part|video|videos} with views and watch time')
  ) as ratios (figure, part, whole, basis)
),
totals as (
  from changes_of(source, which)
),
-- these are phrases, with placeholders for the other values of the card
aims as (
  select
    report_targets.*,
    case when figure = 'engagement_rate' then '{target:rate}'
      when figure = 'emv' then '{target:money}' else '{target:count}' end as goal,
    aim_of(is_level, elapsed) as aim
  from report_targets
  where target is not null
    and (select count(*) from report_posts)
      = (select shown from totals where figure = 'posts')
),
trends as (
  select cards.position, list(figures.value order by report_months.month) as trend
  from cards
  cross join report_months
  left join figures_of(source, which) as figures
    on figures.is_current
    and figures.is_monthly
    and figures.figure = cards.figure
    and figures.month = report_months.month
  group by cards.position
)
select
  cards.position,
  label,
  cards.figure,
  format,
  case when cards.figure in ('posts', 'videos', 'campaigns') then coalesce(shown.shown, 0) else shown.shown end as value,
  case
    when not is_comparable then null
    when shown.previous is null and cards.figure in ('posts', 'videos', 'campaigns') then 0
    else shown.previous
  end as previous,
  trends.trend,
  case when shown.shown is not null and part.shown < entire.shown then ratios.basis end as base,
  case when base is null then aims.aim when aims.aim is null then base else '{base:phrase}, {aim:phrase}' end as basis,
  aims.aim,
  aims.goal,
  aims.target,
  aims.elapsed,
  shown.shown / nullif(aims.target, 0) as reached,
  part.shown::bigint as part,
  is_equal_age or coalesce(young.shown <= 0.02 * whole.shown, true) as is_final,
  case
    when alike.change is null and is_final then null
    when alike.change is null then 'not final'
    when ends_with(alike.figure, '_rate') and is_final then '{change:pp}{among:phrase}'
    when ends_with(alike.figure, '_rate') then 'not final, {change:pp}{among:phrase}'
    when is_final then '{change:change}{among:phrase}'
    else 'not final, {change:change}{among:phrase}'
  end as note,
  alike.change,
  among,
  profiles_comparable,
  'summary.' || cell as cell,
  'summary.previous_' || cell as previous_cell
from cards
cross join report_settings
left join totals as shown on shown.figure = cards.figure
left join ratios on ratios.figure = cards.figure
left join aims on aims.figure = cards.figure
left join totals as part on part.figure = ratios.part
left join totals as entire on entire.figure = ratios.whole
left join totals as young on young.figure = 'young_' || cards.young
left join totals as whole on whole.figure = cards.young
left join changes_of(source, case when which = 'all' then 'like_for_like' end) as alike on alike.figure = cards.figure
left join trends using (position);
