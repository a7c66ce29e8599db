-- grain: none, macros
--
-- The arithmetic that all reports share. Sums of doubles depend on the order of their terms, which depends on threads
-- and loads; as whole numbers of 2^-60, which no multiplication rounds, they are exact and the same on every run. Terms of
-- 8e14 or more, which are too large for that, are added in their order. A sum is null only where it has no term. A ratio
-- is that of the sums over the rows that have both terms, and null if the lower sum is 0. A value too large for a double
-- is unknown rather than infinite. DuckDB plans a parameter again wherever a macro names it, so these name theirs
-- as seldom as they can.

-- A division by 0 gives null as well, so that nothing that is divided needs nullif.
create or replace temp macro finite(x) as case when isfinite(x) then x end;

create or replace temp macro whole_parts(x) as try_cast(x * 1152921504606846976::double as decimal(33, 0));

create or replace temp macro exact_sum(x) as
  list_sum([
    sum(whole_parts(x))::double / 1152921504606846976,
    sum(x::double order by x) filter (where whole_parts(x) is null)
  ]);

create or replace temp macro ratio_of_sums(a, b) as finite(
  exact_sum(case when b is not null then a end) / exact_sum(case when a is not null then b end)
);

-- The same ratios if the lower sum, or both, are of whole numbers.
create or replace temp macro ratio_to_count(a, n) as finite(
  exact_sum(case when n is not null then a end) / sum(n) filter (where a is not null)
);

create or replace temp macro ratio_of_counts(m, n) as finite(
  (sum(m) filter (where n is not null))::double
  / sum(n) filter (where m is not null)
);

-- The EMV of a reading by the rules of post_performance. by_prices: the sum of its priced metrics; replaces: of emv_prices.
create or replace temp macro emv_of(given_emv, unreadable, by_prices, replaces) as finite(
  case
    when replaces then by_prices
    else coalesce(given_emv, case when not list_contains(coalesce(unreadable, []), 'emv') then by_prices end)
  end
);

-- What EMV for 1,000 impressions is called: the price of impressions is a CPM only where they alone are priced.
create or replace temp macro cpm_title() as
  case
    when len(list_filter(getvariable('_listed_prices'), lambda name: name <> 'impressions')) = 0 then 'CPM used'
    else 'EMV per 1,000 impressions'
  end;

create or replace temp macro source_of(emv, given_emv, source, replaces) as
  case when emv is null then null when given_emv is not null and not coalesce(replaces, false) then 'api' else source end;

-- What could not be read of a post, and the figures that are made of it. An EMV by prices is made of what they price.
create or replace temp macro lacking_of(unreadable, emv_source, prices, replaces) as
  case
    when unreadable is not null
      then list_distinct(list_concat(
        list_filter(unreadable, lambda name: name <> 'emv' or not coalesce(replaces, false)),
        case when list_has_any(unreadable, ['engagement', 'impression_count']) then ['engagements'] else [] end,
        case when list_has_any(unreadable, getvariable('_interactions')) then ['interactions'] else [] end,
        case
          when emv_source is distinct from 'api'
            and list_has_any(
              unreadable, list_transform(map_keys(prices), lambda price: getvariable('_priced_metrics')[price])
            )
            then ['emv']
          else []
        end
      ))
  end;

-- Whether a figure, by the name of a column, is made of one that could not be read. `_unreadable_reads` has a pattern of
-- figures for each (unreadable.sql).
create or replace temp macro is_spoiled(figure, lacking) as
  coalesce(
    len(list_filter(lacking, lambda name: regexp_matches(figure, getvariable('_unreadable_reads')[name]))) > 0,
    false
  );

-- What a part is of its whole; null where it is no part, since a term is negative.
create or replace temp macro share_of(part, whole, least) as
  case when least >= 0 and part <= whole then finite(part / whole) end;

-- Whether some posts hold clearly more of a sum than as many of all posts would: half more than their part.
create or replace temp macro is_concentrated(share, part, whole) as share * whole >= 1.5 * part;

-- Who did what a sentence says: all posts or videos (whole), or as many of them as it is true of (part).
create or replace temp macro subject_of(scope, part, whole) as
  case
    when scope = 'videos' and part < whole then '{part:count} of your {whole|video|# videos}'
    when scope = 'videos' then '{whole|Your video|Your # videos}'
    when part < whole then '{part:count} of your {whole|post|# posts}'
    else '{whole|Your post|Your # posts}'
  end;

-- LinkedIn opened in 2003, and nobody plans posts more than a year ahead, so other dates are mistakes of the source.
-- To add an interval to a time with a zone takes DuckDB a hundred times as long as this, and every post is asked.
create or replace temp macro is_plausible_time(published_at, read_at) as
  epoch_us(published_at) between epoch_us(timestamptz '2003-01-01 00:00:00+00')
    and epoch_us(read_at) + 365 * 86_400_000_000;

-- A headline names what does better only where it does clearly better: by a tenth, or by one percentage point of a
-- rate. Findings ask it of the figures that remain without the largest post, so that no headline rests on a single one.
create or replace temp macro is_clearly_more(own, others, figure) as coalesce(
  own > others and (own >= 1.1 * others or (figure = 'engagement_rate' and own - others >= 0.01)),
  false
);

-- The names of pages and members, and their order.
create or replace temp macro kind_title(kind) as
  case kind when 'page' then 'Pages' when 'member' then 'Members' else 'Kind not known' end;

create or replace temp macro kind_order(kind) as case kind when 'page' then 1 when 'member' then 2 else 3 end;

-- The first columns of a section that lists posts.
create or replace temp macro post_columns() as [
  'workspace', 'profile', 'linkedin_post_id', 'url', 'title', 'commentary', 'type', 'published_at', 'campaign', 'labels',
  'is_removed'
];

-- The treatment of removed posts, by --removed.
create or replace temp macro included(removed) as
  case removed when 'exclude' then 'excluded' when 'only' then 'all that is included' else 'included' end;

create or replace temp macro is_from_little(change) as change > 9.99;

-- The groups of videos by length, and their order.
create or replace temp macro length_of(seconds) as
  case
    when seconds < 30 then 'Under 30 s'
    when seconds <= 60 then '30–60 s'
    when seconds <= 180 then '1–3 min'
    when seconds > 180 then 'Over 3 min'
  end;

create or replace temp macro length_order(length) as
  list_position(['Under 30 s', '30–60 s', '1–3 min', 'Over 3 min'], length);

-- The formats of a post by its type and files (post_media), and their order. A post with images has two: their number
-- and their orientation. The cover of a video or document does not count as an image.
create or replace temp macro formats_of(type, media) as
  case
    when media is null then []
    when media.videos > 0 then ['Video' || coalesce(', ' || lower(length_of(media.video_seconds)), '')]
    when media.documents > 0 then ['Document']
    when media.images > 0 then list_filter(
      [
        case when media.images = 1 then '1 image' when media.images <= 4 then '2–4 images' else '5 images or more' end,
        'Images, ' || media.orientation
      ],
      lambda name: name is not null
    )
    when type = 'Text' then ['Text only']
    else ['No files']
  end;

create or replace temp macro format_order(format) as
  list_position(
    [
      'Text only', 'No files', '1 image', '2–4 images', '5 images or more', 'Images, landscape', 'Images, square',
      'Images, portrait', 'Images, mixed', 'Document', 'Video, under 30 s', 'Video, 30–60 s', 'Video, 1–3 min',
      'Video, over 3 min', 'Video'
    ],
    format
  );

-- The hashtags of a text in lower case, each once, or (none). A mark belongs to the letter that it stands on.
create or replace temp macro hashtags_of(commentary) as
  case
    when commentary is null then []
    when regexp_matches(commentary, '#[\pL\pM\pN_]')
      then list_distinct(regexp_extract_all(lower(commentary), '#[\pL\pM\pN_]+'))
    else ['(none)']
  end;

-- How long a text is, in characters as people see them.
create or replace temp macro text_length_of(commentary) as
  case
    when length_grapheme(commentary) < 300 then 'Under 300 characters'
    when length_grapheme(commentary) <= 1000 then '300–1,000 characters'
    when commentary is not null then 'Over 1,000 characters'
  end;

create or replace temp macro text_length_order(text_length) as
  list_position(['Under 300 characters', '300–1,000 characters', 'Over 1,000 characters'], text_length);

-- Whether a post went to other channels too; null if its channels are not known.
create or replace temp macro reach_of(channels) as
  case
    when len(list_filter(channels, lambda channel: channel <> 'LinkedIn')) > 0 then 'LinkedIn and others'
    when len(channels) > 0 then 'LinkedIn only'
  end;

-- How much there is of a week, month or quarter, by days, or else by profiles.
create or replace temp macro part_of_time(read, days, profiles_read, profiles) as
  case
    when read = days then 'all'
    when read > 0 then read || ' of ' || days
    when profiles_read > 0 then profiles_read || ' of ' || profiles || ' profiles'
    else 'not read'
  end;

-- The same in the rows of a table: it says nothing where all of them are whole.
create or replace temp macro part_beside(part) as case when bool_or(part <> 'all') over () then part end;
