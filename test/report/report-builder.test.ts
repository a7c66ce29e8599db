import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/core/errors.ts';
import { english } from '../../src/languages/phrases.ts';
import { ReportDefinitionError, ReportQueryError } from '../../src/report/report-errors.ts';
import { build, type Made } from './support/built-report.ts';

const column = { nullNote: null, isInHtml: true, isPrimary: false, calculation: null };

test('a user’s report becomes a document with the results of its SQL', async () => {
  expect(await build()).toEqual({
    name: 'reach',
    title: 'Reach',
    description: 'Impressions by type.',
    covers: 'posts',
    period: { from: null, to: null },
    previousPeriod: null,
    isAtEqualAge: false,
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    locale: 'en-GB',
    language: english,
    brand: null,
    profiles: ['Acme'],
    selection: [],
    filters: [],
    dataAsOf: '2026-01-04T05:00:00.000Z',
    stamp: { run: null, sqlHash: expect.stringMatching(/^[0-9a-f]{12}$/) as string },
    unreadDays: [],
    headline: null,
    comment: null,
    notes: [],
    lede: null,
    cards: [],
    precision: { money: 0, rate: 1, duration: 0 },
    terms: [],
    coverage: [],
    caveats: [
      'Warning: 1 post of Acme with up to 9,223,372,036,854,775,807 impressions, out of all proportion',
    ],
    sections: [
      {
        name: 'types',
        title: 'Types',
        finding: null,
        description: 'By type.',
        basis: null,
        layout: 'table',
        empty: null,
        isAppendix: false,
        key: ['type'],
        sortedBy: 'impressions',
        total: null,
        chart: null,
        notes: [],
        columns: [
          { ...column, name: 'type', title: 'Type', format: 'text' },
          {
            ...column,
            name: 'impressions',
            title: 'Seen',
            format: 'count',
            nullNote: 'Not known.',
          },
          { ...column, name: 'posts', title: 'Posts', format: 'count' },
        ],
        rows: [
          ['Image', 9223372036854775807n, 1],
          ['Text', 1234, 2],
          ['Poll', null, 1],
        ],
      },
    ],
    whatIf: [],
    definitions: [],
  });
});

test('its parameters reach its SQL', async () => {
  const { sections } = await build({ set: { least: '2000' } });
  expect(sections[0]?.rows).toEqual([['Image', 9223372036854775807n, 1]]);
  await expect(build({ set: { least: 'many' } })).rejects.toThrow(UsageError);
});

test('what selects posts and prices stands behind the title, and what else was asked for among the filters', async () => {
  const { title, selection, filters } = await build({
    set: { least: '11' },
    parameters: {
      workspaces: ['acme'],
      types: ['Text', 'Poll'],
      cpm: 27.5,
      asOf: '2026-01-04',
      removed: 'include',
    },
  });
  expect(selection).toEqual(['type: Text or Poll', 'CPM: €27.50', 'least: 11']);
  expect(title).toBe('Reach (type: Text or Poll, CPM: €27.50, least: 11)');
  expect(filters).toEqual(['workspace: acme', 'as of: 4 Jan 2026', 'removed posts included']);
});

describe('a report for a client', () => {
  const profile = (id: string, name: string) => ({ workspace: 'acme', profile_id: id, name });
  const scoped = (id: string) => ({ workspace: 'acme', id });
  const filtersOf = async (parameters: Made['parameters'], isForClient = true) => {
    const { filters } = await build({
      rows: { profiles: [profile('p1', 'Acme'), profile('p2', 'Ada'), profile('p3', 'Other')] },
      isForClient,
      parameters: { scope: [scoped('p1'), scoped('p2')], ...parameters },
    });
    return filters;
  };

  test('names no profiles if it is about all that the client has', async () => {
    expect(await filtersOf({ workspaces: ['acme'], profiles: ['Acme', 'Ada'] })).toEqual([]);
    expect(await filtersOf({}, false)).toEqual(['profile: Acme or Ada']);
  });

  test('names the profiles that it is narrowed to', async () => {
    expect(await filtersOf({ profiles: ['Ada'] })).toEqual(['profile: Ada']);
  });
});

test.each([
  ['', 'year', { from: '2025-12-01', to: '2025-12-31' }, ['compared with the year before']],
  ['', undefined, { from: '2026-11-01', to: '2026-11-30' }, []],
  ['', 'none', null, []],
  ['compares: false\n', 'year', null, []],
] as const)(
  'a report says what it is compared with unless it compares nothing: %j, %s',
  async (key, compare, previousPeriod, filters) => {
    const parameters = { from: '2026-12-01', to: '2026-12-31', ...(compare && { compare }) };
    const yaml = (text: string) => `${key}${text}`;
    const document = await build({ yaml, parameters });
    expect(document).toMatchObject({ previousPeriod, isAtEqualAge: false, filters });
  },
);

test('columns take the format of their type if none is declared', async () => {
  const { sections } = await build({
    files: {
      'types.sql': `select 'a' as type, 1 as impressions, 1.5::decimal(9, 2) as amount, 0.1::double as part,
        date '2025-01-02' as day, timestamptz '2025-01-02 03:04:05Z' as moment, true as flag, ['x'] as names,
        12345678901234567890.12::decimal(38, 2) as large, interval 3 days as span, [1, 2] as numbers order by 1`,
    },
  });
  expect(sections[0]?.columns.map(({ name, format }) => `${name} ${format}`)).toEqual([
    'type text',
    'impressions count',
    'amount decimal',
    'part decimal',
    'day date',
    'moment datetime',
    'flag boolean',
    'names list',
    'large decimal',
    'span text',
    'numbers text',
  ]);
  expect(sections[0]?.rows).toEqual([
    [
      'a',
      1,
      1.5,
      0.1,
      '2025-01-02',
      '2025-01-02T03:04:05.000Z',
      true,
      ['x'],
      12345678901234567890.12,
      '3 days',
      '[1,2]',
    ],
  ]);
  expect(sections[0]?.exactRows?.[0]?.slice(7)).toEqual([
    ['x'],
    '12345678901234567890.12',
    '3 days',
    '[1,2]',
  ]);
});

describe('a column is left out of the HTML', () => {
  test.each([
    ['false', false],
    ['true', true],
    ['varied', true],
    ['known', true],
  ])('or not, with html: %s', async (html, isInHtml) => {
    const yaml = (text: string) => text.replace('title: Seen', `title: Seen, html: ${html}`);
    const { sections } = await build({ yaml });
    expect(sections[0]?.columns[1]?.isInHtml).toBe(isInHtml);
  });

  test.each(['varied', 'known'])('with html: %s when it says nothing', async (html) => {
    const yaml = (text: string) => text.replace('title: Seen', `title: Seen, html: ${html}`);
    const { sections } = await build({ yaml, parameters: { types: ['Poll'] } });
    expect(sections[0]?.columns[1]?.isInHtml).toBe(false);
  });
});

describe('texts', () => {
  const sentence = (sql: string) => ({ files: { 'types.finding.sql': sql } });

  test('have values of their row in the report’s locale', async () => {
    const { sections } = await build(
      sentence(
        "select '{who:text} had {n:count} in {month:month}, {part:share} {who:text}' as text, 'A $& {n:count}' as who, 1234 as n, date '2025-09-01' as month, 0.256 as part",
      ),
    );
    expect(sections[0]?.finding).toBe(
      'A $& {n:count} had 1,234 in September 2025, 26% A $& {n:count}',
    );
  });

  test('are omitted if a value is not known, or if there is no row', async () => {
    const unknown = await build(sentence("select '{n:count} posts' as text, null::int as n"));
    expect(unknown.sections[0]?.finding).toBeNull();
    const none = await build(sentence("select 'x' as text limit 0"));
    expect(none.sections[0]?.finding).toBeNull();
  });

  test.each([
    ["select '{n:count}' as text", '{n:count} names a column that does not exist'],
    ["select '{n:counts}' as text, 1 as n", '{n:counts} has an unknown format'],
    ['select 1 as words', 'has no column text, which holds the sentence; it has words'],
  ])('%s is refused', async (sql, message) => {
    const made = build(sentence(sql));
    await expect(made).rejects.toThrow(ReportDefinitionError);
    await expect(made).rejects.toThrow(message);
  });

  test('become notes, basis, lede and coverage according to their files', async () => {
    const document = await build({
      files: {
        '_lede.sql': "select 'All of it is **{n:count}**.' as text, 3 as n",
        '_coverage.sql': "select unnest(['3 posts', '1 removed']) as text",
        '_basis.sql': "select 'types' as section, 'n = {n:count}' as text, 3 as n",
        'types.notes.sql': "select unnest(['One.', null, 'Two.']) as text",
      },
      yaml: (text) => `${text}    notes: [First.]\n`,
    });
    expect(document.lede).toBe('All of it is **3**.');
    expect(document.coverage).toEqual(['3 posts', '1 removed']);
    expect(document.sections[0]?.basis).toBe('n = 3');
    expect(document.sections[0]?.notes).toEqual(['First.', 'One.', 'Two.']);
  });
});

test('basis and notes of report.yaml are filled from the row of _facts.sql, and left out where they count none', async () => {
  const document = await build({
    files: {
      '_facts.sql':
        'select count(*) as posts, 0 as removed, null::bigint as unknown from report_posts',
      '_coverage.sql': "select '{posts:count} in all' as text, posts from report_facts",
    },
    yaml: (text) => `${text}    basis: '{rows:count} {rows|type|types} of {posts:count}'
    notes: ['{posts|One post|# posts}.', '{removed:count} removed.', '{unknown:count} unknown.', Always.]
`,
  });
  expect(document.sections[0]?.basis).toBe('3 types of 4');
  expect(document.sections[0]?.notes).toEqual(['4 posts.', 'Always.']);
  expect(document.coverage).toEqual(['4 in all']);
});

test('a section without a title is the one of its name that built-in reports have, beside what it says', async () => {
  const { sections } = await build({
    files: {
      'summary.sql':
        'select count(*) as posts, sum(impression_count) as impressions from report_posts',
    },
    yaml: (text) => `${text}  - { name: summary, description: All of it., hides: [impressions] }\n`,
  });
  expect(sections[1]).toMatchObject({
    title: 'Summary',
    description: 'All of it.',
    layout: 'figures',
    isAppendix: true,
    columns: [
      { name: 'posts', isInHtml: true },
      { name: 'impressions', isInHtml: false },
    ],
  });
});

test('a first sentence that cannot be said is none, and not that there are no posts', async () => {
  const files = { '_lede.sql': "select 'All of it is {n:count}.' as text, null::bigint as n" };
  expect((await build({ files })).lede).toBeNull();
});

test('only a report with a lede says that there are no posts', async () => {
  const files = { '_lede.sql': 'select null as text where false' };
  expect((await build({ files })).lede).toBe('No posts.');
  expect((await build()).lede).toBeNull();
});

test('values that no format can print become null', async () => {
  const { sections } = await build({
    files: {
      'types.sql': `select type, 'inf'::double as impressions, list(likes / 0) as trend, 'infinity'::date as month,
          '-infinity'::timestamptz as at, '0044-03-15 (BC)'::date as day
        from (values ('Text', 0.0), ('Text', 1.0)) as posts(type, likes)
        group by type`,
    },
  });
  expect(sections[0]?.rows).toEqual([['Text', null, [null, null], null, null, null]]);
});

test('the total has the cells of _total.sql by name, and is omitted without rows', async () => {
  const made: Made = {
    files: { '_total.sql': 'select count(*) as posts, 7 as unused from report_posts' },
    yaml: (text) => `${text}    total: All\n`,
  };
  const { sections } = await build(made);
  expect(sections[0]?.total).toEqual({ label: 'All', cells: ['All', null, 4] });
  const empty = await build({ ...made, parameters: { types: ['Video'] } });
  expect(empty.sections[0]?.total).toBeNull();
});

describe('cards', () => {
  const card = (trend: string, value = '1.5::double') => ({
    files: {
      '_cards.sql': `select 'EMV' as label, 'money' as format, ${value} as value, null::double as previous, ${trend} as trend, null as note`,
    },
  });

  test('draw a trend of two values or more', async () => {
    const trends = ['[1.5, null, 2]', '[1.5]', '[null, null]', '[]', 'null'];
    const selects = trends.map((trend) => card(`${trend}::double[]`).files['_cards.sql']);
    const { cards } = await build({ files: { '_cards.sql': selects.join(' union all ') } });
    expect(cards[0]).toEqual({
      label: 'EMV',
      figure: null,
      format: 'money',
      value: 1.5,
      previous: null,
      trend: [1.5, null, 2],
      basis: null,
      note: null,
      cell: null,
      previousCell: null,
    });
    expect(cards.slice(1).map(({ trend }) => trend)).toEqual([[], [], [], []]);
  });

  test('are refused with the file if they are invalid', async () => {
    await expect(build(card('null::double[]', 'true'))).rejects.toThrow(
      /reach\/_cards\.sql: .*value/s,
    );
  });
});

describe('an error names the file', () => {
  test('when the database refuses the SQL', async () => {
    const made = build({ files: { 'types.sql': 'select nothing from report_posts' } });
    await expect(made).rejects.toThrow(ReportQueryError);
    await expect(made).rejects.toThrow(/reach\/types\.sql:1:8: Binder Error: .*"nothing"/);
  });
});

describe('in another language', () => {
  const inGerman = (yaml: Made['yaml'], files: Made['files'] = {}) =>
    build({ language: 'de', files, ...(yaml && { yaml }) });

  test('a user’s report stays as it was written, except for phrases of the program', async () => {
    const { title, filters, sections } = await inGerman(undefined);
    expect([title, filters]).toEqual(['Reach', []]);
    expect(sections[0]?.columns.map((column) => column.title)).toEqual(['Typ', 'Seen', 'Beiträge']);
  });

  test('its own phrases take precedence', async () => {
    const { title, sections } = await inGerman(undefined, {
      'languages/de.yaml':
        "Reach: Reichweite\nPosts: Posts\n'{n:count} types': '{n:count} Typen'\n",
      'types.finding.sql': "select '{n:count} types' as text, 1200 as n",
    });
    expect([title, sections[0]?.finding]).toEqual(['Reichweite', '1,200 Typen']);
    expect(sections[0]?.columns.at(-1)?.title).toBe('Posts');
  });

  test('values are translated only if the column declares words', async () => {
    const words = (yaml: string) =>
      yaml.replace('columns:\n', 'columns:\n      type: { words: [Image] }\n');
    const types = async (yaml: Made['yaml']) => (await inGerman(yaml)).sections[0];
    expect((await types(undefined))?.rows.map(([type]) => type)).toEqual(['Image', 'Text', 'Poll']);
    expect((await types(words))?.rows.map(([type]) => type)).toEqual(['Bild', 'Text', 'Poll']);
    expect((await types(words))?.exactRows?.map(([type]) => type)).toEqual([
      'Image',
      'Text',
      'Poll',
    ]);
  });

  test('phrases that are not texts are refused with their line', async () => {
    const files = { 'languages/de.yaml': 'Reach: Reichweite\nTypes: 3\n' };
    await expect(inGerman(undefined, files)).rejects.toThrow(/languages\/de\.yaml:2: Types: /);
  });
});
