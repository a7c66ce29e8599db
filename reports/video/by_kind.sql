-- grain: one kind of profile
-- key: kind
select
  kind_title(kind) as kind,
  case kind when 'page' then '3 s' when 'member' then '2 s' end as view_from,
  groups.* exclude (name, trend, workspace, profile_id, kind)
from video_by('kind') as groups
order by name = '', name = 'member';
