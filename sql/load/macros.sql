-- grain: none; rules that other statements of a load share
-- key: none
-- reads: none
-- parameters: none

-- A time as the API writes one: ISO 8601 with `Z` or an offset, or without, then UTC. Null when it is none:
-- DuckDB alone would take 'epoch', 'infinity' and bare dates too, and refuse a time without seconds.
create or replace temp macro time_of(text) as
  case
    when regexp_full_match(
      text,
      '\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}(:?\d{2})?)?'
    ) then try_cast(
      regexp_replace(upper(text), '^(.{10}).(\d{2}:\d{2})(Z|[+-].*)?$', '\1T\2:00\3') as timestamptz
    )
  end;

create or replace temp macro is_number(json_type) as
  json_type in ('BIGINT', 'UBIGINT', 'DOUBLE');

-- 12 and 12.0 are 12; 12.5 and what 64 bits do not hold are null.
create or replace temp macro integer_of(json_type, text) as
  case
    when json_type in ('BIGINT', 'UBIGINT') then try_cast(text as bigint)
    when json_type = 'DOUBLE'
      and abs(try_cast(text as double)) < 9223372036854775808
      and try_cast(text as double) = trunc(try_cast(text as double))
    then try_cast(try_cast(text as double) as bigint)
  end;

create or replace temp macro double_of(json_type, text) as
  case
    when is_number(json_type) and isfinite(try_cast(text as double)) then try_cast(text as double)
  end;

create or replace temp macro is_absent(json_type) as
  json_type is null or json_type = 'NULL';

-- A value in words, for a reason: short, and with a text in its quotes.
create or replace temp macro shown(json_type, text) as
  case json_type
    when 'VARCHAR' then to_json(left(text, 40))::varchar
    when 'OBJECT' then 'an object'
    when 'ARRAY' then 'an array'
    else coalesce(left(text, 40), 'null')
  end;

-- Each *_problem is a sentence about a value that is not what it should be, else null.
create or replace temp macro required_text_problem(field, json_type, text) as
  case
    when is_absent(json_type) then field || ': missing'
    when json_type <> 'VARCHAR' then field || ': expected text, got ' || shown(json_type, text)
    when trim(text) = '' then field || ': empty'
  end;

create or replace temp macro text_problem(field, json_type, text) as
  case
    when not is_absent(json_type) and json_type <> 'VARCHAR'
    then field || ': expected text, got ' || shown(json_type, text)
  end;

create or replace temp macro integer_problem(field, json_type, text) as
  case
    when not is_absent(json_type) and integer_of(json_type, text) is null
    then field || ': expected an integer, got ' || shown(json_type, text)
  end;

create or replace temp macro number_problem(field, json_type, text) as
  case
    when not is_absent(json_type) and double_of(json_type, text) is null
    then field || ': expected a number, got ' || shown(json_type, text)
  end;

create or replace temp macro time_problem(field, json_type, text) as
  case
    when not is_absent(json_type) and (json_type <> 'VARCHAR' or time_of(text) is null)
    then field || ': expected an ISO 8601 time, got ' || shown(json_type, text)
  end;

-- A key as a JSON pointer, whatever characters it has.
create or replace temp macro pointer_to(key) as
  '/' || replace(replace(key, '~', '~0'), '/', '~1');

create or replace temp macro has_repeated_keys(object) as
  json_type(object) = 'OBJECT' and len(json_keys(object)) <> list_unique(json_keys(object));

-- What an object has beside the keys that are known, by name. Read at one go: to look each key up costs its square.
-- No map has a key twice.
create or replace temp macro unknown_fields(object, known) as
  list_sort(
    list_filter(
      case
        when has_repeated_keys(object)
        then list_transform(
          json_keys(object), lambda k: {'key': k, 'value': json_extract(object, pointer_to(k))}
        )
        when json_type(object) = 'OBJECT'
        then map_entries(from_json(object, '"MAP(VARCHAR, JSON)"'))
      end,
      lambda field: not list_contains(known, field.key)
    )
  );

-- Fields as an object; null when there are none.
create or replace temp macro object_of(fields) as
  case when len(fields) > 0 then to_json(map_from_entries(fields)) end;

-- The last value of each key, as in JavaScript; by key.
create or replace temp macro without_repeated_keys(object) as
  to_json(
    map_from_entries(
      list_transform(
        list_sort(list_distinct(json_keys(object))),
        lambda k: {
          'key': k,
          'value': json_extract(object, '$.*')[
            1 + len(json_keys(object)) - list_position(list_reverse(json_keys(object)), k)
          ]
        }
      )
    )
  );

create or replace temp macro asset_of(asset, channel) as
  {
    'asset_id': asset ->> '/id',
    'channel': channel,
    'name': asset ->> '/name',
    'url': asset ->> '/url',
    'mimetype': asset ->> '/mimetype',
    'size': integer_of(json_type(asset, '/size'), asset ->> '/size'),
    'width': integer_of(json_type(asset, '/width'), asset ->> '/width'),
    'height': integer_of(json_type(asset, '/height'), asset ->> '/height'),
    'duration': double_of(json_type(asset, '/duration'), asset ->> '/duration')
  };

-- In order; not those without an id.
create or replace temp macro assets_of(assets, channel) as
  list_filter(
    list_transform(assets, lambda asset: asset_of(asset, channel)),
    lambda asset: asset.asset_id <> ''
  );

create or replace temp macro linkedin_assets_of(linkedin) as
  assets_of(json_extract(linkedin, '$.assets[*]'), 'LinkedIn');

create or replace temp macro x_assets_of(x) as
  assets_of(json_extract(x, '$.tweets[*].assets[*]'), 'Twitter');

-- What a post says in its channels. Each has a line of its own, which no JSON that this program writes has
-- within it: so one can be replaced, and the other stay to the letter.
create or replace temp macro content_of(linkedin, x) as
  case
    when linkedin is null and x is null then null
    when x is null then '{"linkedIn":' || linkedin || '}'
    when linkedin is null then '{"x":' || x || '}'
    else '{"linkedIn":' || linkedin || ',' || chr(10) || '"x":' || x || '}'
  end::json;

create or replace temp macro linkedin_of(content) as
  nullif(regexp_extract(content::varchar, '^\{"linkedIn":([^\n]*)(?:,\n.*|\})$', 1), '');

create or replace temp macro x_of(content) as
  nullif(regexp_extract(content::varchar, '^\{(?:"linkedIn":[^\n]*,\n)?"x":([^\n]*)\}$', 1), '');

-- The rank of a record's response in its batch, from 1.
create or replace temp macro rank_of(ordinal) as
  ordinal // 4294967296;

-- The reading that gave a value: the row's own, unless an older one is noted beside it.
create or replace temp macro given_in(value, noted, reading) as
  case when value is not null then coalesce(noted, reading) end;
