import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseShared } from '../../src/report/definition-file.ts';
import { builtInReports } from '../../src/report/report-catalog.ts';
import { chartTable } from '../../src/report/report-document.ts';
import { ReportDefinitionError } from '../../src/report/report-errors.ts';
import { build } from './support/built-report.ts';

describe('_views.sql', () => {
  const views =
    'create or replace temp view seen as select type, impression_count from report_posts;';

  test('is made before any other file is read', async () => {
    const { sections, coverage } = await build({
      files: {
        '_views.sql': `${views}\ncreate or replace temp view types_seen as select distinct type from seen;`,
        '_coverage.sql': 'select count(*)::varchar as text from types_seen',
        'types.sql':
          'select type, 0 as posts, sum(impression_count) as impressions from seen group by 1 order by 1',
      },
    });
    expect(coverage).toEqual(['3']);
    expect(sections[0]?.rows.map(([type]) => type)).toEqual(['Image', 'Poll', 'Text']);
  });
});

describe('sections by a dimension', () => {
  const yaml = (text: string) => `title: Weekdays
${/parameters:[^]*(?=sections:)/.exec(text)?.[0] ?? ''}
figure: engagement_rate
shows: [posts, engagements, engagement_rate]
sections:
  - { by: weekday, chart: bars }
  - { by: [weekday, type], chart: heatmap }
  - by: time
${/ {2}- name: types[^]*/.exec(text)?.[0] ?? ''}`;
  const published = (id: string, day: number, engagement: number) => ({
    linkedin_post_id: id,
    type: day % 2 === 0 ? 'Text' : 'Image',
    impression_count: 100,
    engagement,
    click_count: 1,
    published_at: `2026-01-${String(day).padStart(2, '0')}T12:00:00Z`,
  });
  const days = Array.from({ length: 28 }, (_, at) => at + 1);
  const posts = days.flatMap((day) =>
    ['a', 'b', 'c'].map((id) => published(`${id}${day}`, day, day % 7 === 6 ? 0.3 : 0.1)),
  );
  const rows = { profiles: [{ profile_id: 'p1', name: 'Acme' }], linkedin_posts: posts };

  test('need no SQL of their own', async () => {
    const { sections, coverage } = await build({ rows, yaml });
    const [weekday, pair, ...times] = sections;
    expect(weekday).toMatchObject({
      title: 'By weekday',
      description: 'Engagement rate by weekday of publication.',
      basis: 'n = 84 posts with a rate',
      finding: 'Posts on a Tuesday got 3.00 times the engagement rate of other posts',
      chart: { kind: 'bars', x: 'weekday', y: 'engagement_rate' },
    });
    expect(weekday?.rows.slice(0, 2)).toEqual([
      [1, 12, 120, 0.1],
      [2, 12, 360, 0.3],
    ]);
    expect(pair?.rows).toContainEqual([2, 'Text', 6, 180, 0.3, 6]);
    expect(times.map(({ name }) => name)).toEqual(['by_week', 'by_month', 'types']);
    expect(coverage[0]).toBe('84 posts');
  });

  test('are headed in the language of the report, whichever two dimensions they are by', async () => {
    const { dimensions } = parseShared(await readFile(join(builtInReports, 'shared.yaml'), 'utf8'));
    const names = Object.keys(dimensions);
    const pairs = names.map((first, at) => `[${first}, ${names.at(at - 1) ?? ''}]`);
    const german = (text: string) =>
      [
        text.slice(0, text.indexOf('shows:')),
        'sections:',
        ...pairs.map((by) => `  - { by: ${by}, chart: heatmap }`),
        text.slice(text.indexOf('  - name: types')),
      ].join('\n');
    const { sections } = await build({
      rows,
      yaml: (text) => german(yaml(text)),
      language: 'de',
      parameters: { from: '2026-01-01', to: '2026-01-31' },
    });
    const heads = sections.map(({ title, description }) => [title, description]);
    expect(heads).toContainEqual(['Nach Typ und Profil', 'Interaktionsrate nach Typ und Profil.']);
    const english = heads
      .slice(0, -1)
      .filter(([...texts]) => /\b(?:and|by|of|months)\b|_/.test(texts.join(' ')));
    expect(english).toEqual([]);
  });

  test('have the finding of a file of the report in place of theirs', async () => {
    const findingOf = async (sql: string) => {
      const { sections } = await build({ rows, yaml, files: { 'by_weekday.finding.sql': sql } });
      return sections[0]?.finding;
    };
    expect(await findingOf("select 'On Tuesdays.' as text")).toBe('On Tuesdays.');
    expect(await findingOf("select 'On Tuesdays.' as text where false")).toBeNull();
  });

  test('state no finding while days of the period are not read', async () => {
    const extract_windows = [
      {
        profile_id: 'p1',
        start_date: '2025-12-31',
        end_date: '2026-01-28',
        fetched_at: '2026-02-05T05:00:00Z',
      },
    ];
    const built = async (to: string) => {
      const parameters = { from: '2026-01-01', to };
      return build({ rows: { ...rows, extract_windows }, yaml, parameters });
    };
    const [read, unread] = [await built('2026-01-27'), await built('2026-01-30')];
    expect(read.sections[0]?.finding).toMatch(/^Posts on a Tuesday/);
    expect(unread.headline).toMatch(/^Incomplete: /);
    expect(unread.sections[0]?.finding).toBeNull();
  });

  test('read the tables of a _groups.sql of the report in place of those that follow', async () => {
    const groups = `
      create or replace temp table report_sums as from sums_by('posts', ['all', 'weekday', 'weekday type', 'week', 'month']);
      create or replace temp table report_groups as from groups_of('report_sums', 'engagement_rate');
      create or replace temp table report_compared_by_engagement_rate as
      from compared_by_kind(['weekday'], 'engagement_rate');`;
    const { sections } = await build({ rows, yaml, files: { '_groups.sql': groups } });
    expect(sections[0]?.finding).toMatch(/^Posts on a Tuesday got 3.00 times/);
  });

  test('by two dimensions alone have neither findings nor notes', async () => {
    const pairs = (text: string) =>
      yaml(text)
        .replace(/  - \{ by: weekday, .*\n/, '')
        .replace('  - by: time\n', '');
    const { sections } = await build({ rows, yaml: pairs });
    expect(sections[0]).toMatchObject({ name: 'by_weekday_type', finding: null, notes: [] });
  });

  test('take their rows, total and basis from a table of the report', async () => {
    const groups = `create or replace temp table own as
      select 'type' as dimension, type as name, count(*) as posts, max(engagements) as most
      from report_posts group by type
      union all
      select 'all', null, count(*), max(engagements) from report_posts`;
    const text = 'groups: own\nfigure: most\nshows: [posts, most]\nsections:\n  - by: type\n';
    const { sections } = await build({
      rows,
      files: { '_views.sql': groups },
      yaml: (given) => yaml(given).replace(/figure:[^]*? time\n/, text),
    });
    expect(sections[0]).toMatchObject({
      rows: [
        ['Image', 42, 30],
        ['Text', 42, 30],
      ],
      total: { label: 'Total', cells: ['Total', 84, 30] },
      basis: '2 types',
      finding: null,
      notes: [],
    });
  });

  test('name a dimension and columns that there are', async () => {
    await expect(
      build({ rows, yaml: (text) => yaml(text).replace('by: weekday', 'by: weekdy') }),
    ).rejects.toThrow(/report.yaml:8: sections.0.by: weekdy is not one of week, month/);
    await expect(
      build({ rows, yaml: (text) => yaml(text).replace('engagements,', 'engagments,') }),
    ).rejects.toThrow(/report.yaml:8: sections.0: .*"engagments" not found/);
  });
});

describe('a chart of other rows', () => {
  const chart = (rows: string) => (text: string) =>
    `${text}    chart: { kind: bars, x: month, y: seen, rows: ${rows} }
  - name: months
    title: Months
    description: By month.
    layout: data
    key: [month]
`;
  const files = { 'months.sql': "select date '2025-11-01' as month, 7 as seen order by month" };

  test('draws the rows of the section that it names', async () => {
    const document = await build({ files, yaml: chart('months') });
    const [types, months] = document.sections;
    if (!types) throw new Error('no section');
    expect(chartTable(types, document)).toBe(months);
    expect(months?.rows).toEqual([['2025-11-01', 7]]);
  });

  test('needs its columns in that section, not in its own', async () => {
    const missing = {
      'months.sql': "select date '2025-11-01' as month, 7 as reach order by month",
    };
    await expect(build({ files: missing, yaml: chart('months') })).rejects.toThrow(
      'sections.0.chart.y: months.sql has no column seen; it has month, reach',
    );
  });

  test.each(['types', 'weeks'])('is refused if %s has another layout than data', async (rows) => {
    await expect(build({ files, yaml: chart(rows) })).rejects.toThrow(
      new RegExp(`the chart of types draws ${rows}, which is no section of layout data`),
    );
  });
});

describe('a trend', () => {
  const trend = (sql: string, yaml = 'trend') => ({
    files: { 'types.sql': `select 'a' as type, 1 as posts, 2 as impressions, ${sql} as course` },
    yaml: (text: string) => `${text}      course: { format: ${yaml} }\n`,
  });

  test('has the values of a list of doubles, each as it is', async () => {
    const lists = ['[1.5, null, -2]', '[]', 'null', '[1e300, 0.1]'].map(
      (list) => `${list}::double[]`,
    );
    const { sections } = await build(trend(lists.join(', ')));
    expect(sections[0]?.columns.slice(3).every(({ format }) => format === 'trend')).toBe(true);
    expect(sections[0]?.rows[0]?.slice(3)).toEqual([[1.5, null, -2], [], null, [1e300, 0.1]]);
  });

  test.each(['[1, 2]', "['a']", '1.5'])('is no %s', async (sql) => {
    const made = build(trend(sql));
    await expect(made).rejects.toThrow(ReportDefinitionError);
    await expect(made).rejects.toThrow(/which cannot be printed as trend/);
  });
});

describe('the cells of a card', () => {
  const card = (cells: string) => ({
    files: {
      '_cards.sql': `select 'Seen' as label, 'count' as format, 3 as value, 2 as previous,
        null::double[] as trend, null as note, ${cells}`,
    },
  });

  test('are sections and their columns', async () => {
    const { cards } = await build(card("'types.posts' as cell, 'types.previous' as previous_cell"));
    expect(cards).toEqual([
      {
        label: 'Seen',
        figure: null,
        format: 'count',
        value: 3,
        previous: 2,
        trend: [],
        basis: null,
        note: null,
        cell: { section: 'types', column: 'posts' },
        previousCell: { section: 'types', column: 'previous' },
      },
    ]);
  });

  test('have all digits of an integer, which a card would round', async () => {
    const summary = `
  - name: summary
    title: Summary
    description: All.
    layout: figures
`;
    const made = card("'summary.posts' as cell, 'summary.before' as previous_cell");
    const { cards } = await build({
      yaml: (text) => text + summary,
      files: {
        ...made.files,
        'summary.sql': 'select 9007199254740993 as posts, 9007199254740995 as before order by 1',
      },
    });
    expect(cards[0]).toMatchObject({ value: 9007199254740993n, previous: 9007199254740995n });
  });

  test.each(["'posts'", "'types.posts.more'", "'Types.posts'", '1'])('are not %s', async (cell) => {
    await expect(build(card(`${cell} as cell`))).rejects.toThrow(/reach\/_cards\.sql: .*cell/s);
  });
});

describe('what_if', () => {
  const total = (text: string) => text.replace('title: Types', 'title: Types\n    total: All');

  test('is refused for a section without a total, or without the columns that it needs', async () => {
    const yaml = (text: string) => `${text}what_if: [types]\n`;
    await expect(build({ yaml })).rejects.toThrow(/what_if: types is no section with a total/);
    const files = { '_total.sql': 'select 3 as posts' };
    await expect(build({ yaml: (text) => yaml(total(text)), files })).rejects.toThrow(
      /what_if.0: types.sql has no column emv/,
    );
  });
});

test('a calculation belongs to its column', async () => {
  const { sections } = await build({
    yaml: (text) =>
      text.replace(
        'title: Seen',
        'title: Seen, calculation: { kind: ratio, of: posts, to: posts, times: 1000 }',
      ),
  });
  expect(sections[0]?.columns.map(({ calculation }) => calculation)).toEqual([
    null,
    { kind: 'ratio', of: 'posts', to: 'posts', times: 1000 },
    null,
  ]);
});
