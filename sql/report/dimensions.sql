-- grain: one dimension (report_dimensions); a macro orders groups
-- key: name; none
--
-- What a post can be grouped by. Sections of report.yaml name a dimension by its `name` (`by: type`), and the program
-- reads these rows too. title and description head such a section, noun names its groups ("3 types"), and total heads
-- its total; null where groups overlap or leave posts out. sort: 'time', 'figure' (the highest first, (none) last) or
-- 'natural' (group_order). sentence names a group in a sentence. needs_details: only posts whose details were read are
-- in a group, or among the others that it is compared with.
create or replace temp table report_dimensions as
select *
from (
  values
    ('week', 'By week', '{figure:phrase} by week of publication.', null, 'Total', 'time', 'Posts of the week of {name:date}', false),
    ('month', 'By month', '{figure:phrase} by month of publication.', null, 'Total', 'time', 'Posts of {name:month}', false),
    ('quarter', 'By quarter', '{figure:phrase} by quarter of publication.', null, 'Total', 'time', 'Posts of {name:quarter}', false),
    ('weekday', 'By weekday', '{figure:phrase} by weekday of publication.', null, null, 'natural', 'Posts on a {name:weekday}', false),
    ('hour', 'By hour', '{figure:phrase} by hour of publication.', null, null, 'natural', 'Posts at {name:hour}', false),
    ('kind', 'By kind', '{figure:phrase} by kind of profile.', null, 'All', 'natural', 'Posts of {name:phrase}', false),
    ('profile', 'By profile', '{figure:phrase} by profile.', '{n:count} {n|profile|profiles}', 'Total', 'figure', 'Posts of {name:text}', false),
    ('type', 'By type', '{figure:phrase} by LinkedIn''s post type.', '{n:count} {n|type|types}', 'Total', 'figure', '{posts_of_type:phrase}', false),
    ('campaign', 'By campaign', '{figure:phrase} by campaign.', '{n:count} {n|campaign|campaigns}', 'Total', 'figure', 'Posts of {name:text}', false),
    ('label', 'By label', '{figure:phrase} by label. A post counts under each of its labels.', '{n:count} {n|label|labels}', 'All, each counted once', 'figure', 'Posts labelled {name:text}', false),
    ('format', 'By format', '{figure:phrase} by what the posts show. Images are in two rows, by number and by orientation.', null, null, 'natural', 'Posts of the format “{name:phrase}”', true),
    ('channels', 'Other channels', '{figure:phrase} of posts that went to other channels too, and of those that did not.', null, null, 'natural', 'Posts on “{name:phrase}”', true),
    ('length', 'By length', '{figure:phrase} by length of the video.', null, null, 'natural', 'Videos of the length “{name:phrase}”', true)
) as dimensions (name, title, description, groups, total, sort, sentence, needs_details);

-- The place of a group among those of its dimension; null where the dimension has no order of its own.
create or replace temp macro group_order(dimension, name) as
  case dimension
    when 'kind' then list_position(['Pages', 'Members', 'Kind not known'], name)
    when 'format' then format_order(name)
    when 'length' then length_order(name)
    when 'channels' then list_position(['LinkedIn only', 'LinkedIn and others'], name)
    when 'weekday' then name::integer
    when 'hour' then name::integer
  end;
