-- Records of one post. The next load derives all posts and their snapshots again, as it does without settings.
alter table linkedin_posts add column if not exists address varchar;
alter table linkedin_posts add column if not exists superseded_by varchar;
alter table linkedin_posts add column if not exists superseded_at timestamptz;
alter table linkedin_posts add column if not exists absent_since timestamptz;

delete from load_settings;
