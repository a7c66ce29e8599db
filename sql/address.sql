-- grain: none, a macro
--
-- address_of returns what the addresses of one post have in common: the kind and number of an activity, a share or a
-- ugcPost. Each kind has numbers of its own, and an id that merely begins with digits is no number. An address without a
-- number, such as that of the page, names no post: null.
create or replace temp macro address_of(url) as
  coalesce(
    replace(
      nullif(
        regexp_extract(
          lower(url),
          '/posts/[^?#]*[-_]((?:activity|share|ugcpost)-[0-9]+)(?:-[^/?#]{1,8})?/?(?:[?#].*)?$',
          1,
          's'
        ),
        ''
      ),
      '-',
      ':'
    ),
    replace(
      nullif(
        regexp_extract(
          lower(url), 'urn(?::|%3a)li(?::|%3a)((?:activity|share|ugcpost)(?::|%3a)[0-9]+)(?:[^0-9a-z_-]|$)', 1
        ),
        ''
      ),
      '%3a',
      ':'
    )
  );
