-- grain: the warehouse
-- key: none
-- reads: none
-- parameters: $timezone, $profiles, $slugs
delete from load_settings;

insert into load_settings
values ($timezone, $profiles, $slugs);
