-- grain: one card, in the page's order
-- key: label
-- reads: cards_of, report_facts
--
-- A view is not the same for pages and for members, which is noted on the figures that depend on views.
select
  cards.* replace (
    case
      when not contains(lower(label), 'view') or mixture is null then note
      when note is null then 'pages and members'
      when note = 'not final' then 'pages and members, not final'
      else note
    end as note
  )
from cards_of('report_sums', 'all', [
  {'label': 'Views', 'format': 'count', 'figure': 'views', 'cell': 'views', 'young': 'views'},
  {'label': 'Watch time', 'format': 'duration', 'figure': 'watch_time_seconds', 'cell': 'watch_time_seconds', 'young': 'views'},
  {'label': 'View rate', 'format': 'rate', 'figure': 'view_rate', 'cell': 'view_rate', 'young': null},
  {'label': 'Time per view', 'format': 'duration', 'figure': 'seconds_per_view', 'cell': 'seconds_per_view', 'young': null},
  {'label': 'Views per viewer', 'format': 'decimal', 'figure': 'views_per_viewer', 'cell': 'views_per_viewer', 'young': null},
  {'label': 'Videos', 'format': 'count', 'figure': 'videos', 'cell': 'videos', 'young': null},
  {'label': 'Interactions', 'format': 'count', 'figure': 'interactions', 'cell': null, 'young': null},
  {'label': 'Likes', 'format': 'count', 'figure': 'likes', 'cell': null, 'young': null},
  {'label': 'Comments', 'format': 'count', 'figure': 'comments', 'cell': null, 'young': null},
  {'label': 'Shares', 'format': 'count', 'figure': 'shares', 'cell': null, 'young': null}
]) as cards
cross join report_facts
-- without views, what is known instead
where label = 'Videos'
  or (cell is null) = (views is null and interactions is not null)
order by position;
