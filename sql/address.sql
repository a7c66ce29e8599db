-- grain: none, macros
--
-- address_of returns what the addresses of one post have in common: the kind and number of an activity, a share or a
-- ugcPost (each kind has numbers of its own, and an id that merely begins with digits is no number), else the address
-- without its scheme, query, fragment and last slash. An address without a path is of no post: null.
create or replace temp macro without_scheme(url) as regexp_replace(trim(url), '^([a-z][a-z0-9+.-]*:)?//', '', 'i');

create or replace temp macro address_of(url) as
  case
    when regexp_matches(url, '/posts/[^?#]*[-_](activity|share|ugcpost)-[0-9]+(-[^/?#]{1,8})?/?([?#].*)?$', 'is')
      then lower(regexp_replace(
        url, '^.*?/posts/[^?#]*[-_](activity|share|ugcpost)-([0-9]+)(-[^/?#]{1,8})?/?([?#].*)?$', '\1:\2', 'is'
      ))
    when regexp_matches(url, 'urn(:|%3a)li(:|%3a)(activity|share|ugcpost)(:|%3a)[0-9]+([^0-9a-z_-]|$)', 'i')
      then lower(regexp_replace(
        url, '^.*?urn(?::|%3a)li(?::|%3a)(activity|share|ugcpost)(?::|%3a)([0-9]+)(?:[^0-9a-z_-].*)?$', '\1:\2', 'is'
      ))
    else lower(regexp_extract(without_scheme(url), '^[^/?#]*'))
      || nullif(regexp_extract(without_scheme(url), '^[^/?#]*(/+[^/?#][^?#]*?)/*(?:[?#].*)?$', 1, 's'), '')
  end;
