-- What tells whether an answer was whole.

-- As the API gave them: all members of the array, and the posts among them, each once. Null for what was
-- loaded before these were kept; posts_read counts what was taken.
alter table extract_windows add column records bigint;
alter table extract_windows add column distinct_posts bigint;

-- Answers that looked cut off, and what reading their halves showed: `agreed`, `cut_off`, or `indivisible`
-- for a single day, which has no halves.
-- key: workspace, run_id, profile_id, start_date, end_date
create table window_checks (
  workspace varchar not null,
  run_id varchar not null,
  profile_id varchar not null,
  start_date date not null,
  end_date date not null,
  kind varchar not null,
  checked_at timestamptz not null,
  -- of the answer that was checked
  seq bigint not null,
  records_whole bigint not null,
  posts_whole bigint not null,
  -- in the two halves, each post once; null for a single day
  posts_first_half bigint,
  posts_second_half bigint,
  posts_halves bigint,
  -- posts in the halves that the whole had not
  missing bigint not null
);

-- So that a warehouse that is made anew from the archive is the same to the letter:
-- the newest run's word on the profile, which holds once the config has it no longer
alter table profiles add column last_run struct(name varchar, cpm double, told_by varchar);
update profiles
set last_run = {'name': name, 'cpm': cpm, 'told_by': told_by}
where told_by <> 'config';

-- and the last answer or event that named it at all, by its id alone where it has no name; null of what was
-- loaded before this was kept
alter table labels add column reading varchar;
alter table campaigns add column reading varchar;
update labels set reading = greatest(name_reading, color_reading, background_color_reading);
update campaigns set reading = greatest(name_reading, dates_reading);
