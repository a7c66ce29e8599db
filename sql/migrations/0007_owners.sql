-- Which records are one post, and whose post it is. The next load derives all posts again, as it does without settings.
alter table linkedin_posts add column if not exists last_profile_id varchar;

-- A post that several of the profiles that are read have, and one of these.
-- key: workspace, identity, linkedin_post_id, profile_id
create table shared_posts (
  workspace varchar not null,
  -- what the profiles have in common: the post's id, or the address of several records
  identity varchar not null,
  linkedin_post_id varchar not null,
  profile_id varchar not null,
  published_at timestamptz,
  shared_at timestamptz not null
);

update linkedin_posts
set address = null;

delete from load_settings;
