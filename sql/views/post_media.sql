-- grain: one post of a workspace whose content for LinkedIn is known
-- key: workspace, post_id
-- reads: posts, assets
--
-- The files that the post has on LinkedIn. orientation: `landscape`, `square` or `portrait` if all images have it, else
-- `mixed`. video_seconds: null unless there is exactly one video.
create or replace view post_media as
with files as (
  select
    workspace,
    post_id,
    case
      when starts_with(mimetype, 'image/') then 'image'
      when starts_with(mimetype, 'video/') or duration is not null then 'video'
      else 'document'
    end as kind,
    case when width > height then 'landscape' when width < height then 'portrait' when width = height then 'square' end as orientation,
    case when duration > 0 then duration end as seconds
  from assets
  where channel = 'LinkedIn'
),
counted as (
  select
    workspace,
    post_id,
    count(*) filter (where kind = 'image') as images,
    count(orientation) filter (where kind = 'image') as measured,
    min(orientation) filter (where kind = 'image') as orientation,
    count(distinct orientation) filter (where kind = 'image') as orientations,
    count(*) filter (where kind = 'document') as documents,
    count(*) filter (where kind = 'video') as videos,
    max(seconds) filter (where kind = 'video') as seconds
  from files
  group by workspace, post_id
)
select
  posts.workspace,
  posts.post_id,
  {
    'images': coalesce(images, 0),
    'orientation': case when measured < images then null when orientations > 1 then 'mixed' else orientation end,
    'documents': coalesce(documents, 0),
    'videos': coalesce(videos, 0),
    'video_seconds': case when videos = 1 then seconds end
  } as media
from posts
left join counted using (workspace, post_id)
where json_type(posts.content, '$.linkedIn.assets') = 'ARRAY';
