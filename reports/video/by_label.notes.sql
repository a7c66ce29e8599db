-- grain: at most two rows: whether pages and members are added up; the labels that had videos before alone
-- key: text
-- reads: video_mixture, video_gone
-- parameters: none
with sentences as (
  select 1 as position, text, null::bigint as groups, null::bigint as videos, null::bigint as views
  from video_mixture
  union all
  select
    2,
    case when groups = 1 then 'One label' else '{groups:count} labels' end
      || ' had videos only in the period compared with: '
      || case when videos = 1 then 'one video' else '{videos:count} videos' end
      || case
        when views is null then ''
        when views = 1 then ' with 1 view'
        else ' with {views:count} views'
      end
      || '. In the views before of the total, in no row.',
    groups,
    videos,
    views
  from video_gone
  where dimension = 'label'
)
select text, groups, videos, views
from sentences
order by position;
