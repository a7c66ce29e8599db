-- grain: one dimension (report_dimensions); one post of either period (report_named); macros order groups, or give the posts under each of their groups
-- key: name; is_current, workspace, linkedin_post_id; none
-- reads: report_placed
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
    ('weekday', 'By weekday', '{figure:phrase} by weekday of publication.', null, null, 'natural', 'Posts of a {name:weekday}', false),
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

-- names: the groups of a post by dimension; '' where its time is not known, and no name where the dimension does not
-- apply. A profile goes by its workspace and id; slot is a weekday and an hour ('1 09' is Monday at 09:00). amounts: what
-- figures add up or divide (figures.sql), by name.
create or replace temp table report_named as
select
  *,
  map {
    'all': [''],
    'all like for like': case when is_like_for_like then [''] else [] end,
    'post': [linkedin_post_id],
    'week': [coalesce(week::varchar, '')],
    'month': [coalesce(month::varchar, '')],
    'quarter': [coalesce(date_trunc('quarter', month)::date::varchar, '')],
    'weekday': case when published_local is null then [] else [isodow(published_local)::varchar] end,
    'hour': case when published_local is null then [] else [hour(published_local)::varchar] end,
    'slot': [strftime(published_local, '%u %H')],
    'kind': [kind_title(kind)],
    'profile': [workspace || ' ' || profile_id],
    'type': [type],
    'campaign': [coalesce(campaign, '(none)')],
    'label': case when len(labels) = 0 then ['(none)'] else labels end,
    'format': formats_of(type, media),
    'channels': case when len(channels) > 0 then [reach_of(channels)] else [] end,
    'length': case when video_seconds > 0 then [length_of(video_seconds)] else [] end
  } as names,
  map {
    'posts': 1::double,
    'impressions': impression_count::double,
    'engagements': engagements,
    'interactions': interactions::double,
    'emv': emv,
    'views': views::double,
    'viewers': viewers::double,
    'watch_time_seconds': watch_time_seconds::double,
    'watchable_seconds': (views * video_seconds)::double
  } as amounts
from report_placed;
