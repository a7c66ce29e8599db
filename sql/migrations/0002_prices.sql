-- Price lists of jobs.yaml, which make the EMV of posts to which the API gives none.

-- The name of the list that prices the posts of the profile.
alter table profiles add column prices varchar;

-- One price of a list, from a day on.
-- key: list, from_date, metric
create table prices (
  list varchar not null,
  -- null: from ever
  from_date date,
  -- impressions, likes, comments, shares, clicks, saves, sends or views
  metric varchar not null,
  -- currency units for each, or for a thousand impressions
  price double not null
);

alter table load_settings add column prices json default '[]';
