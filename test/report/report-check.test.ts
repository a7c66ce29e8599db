import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkReport } from '../../src/report/report-check.ts';
import { builtInReports, readReport } from '../../src/report/report-catalog.ts';
import { ReportDefinitionError, faultText } from '../../src/report/report-errors.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { smallReport, writeReportFolder } from './support/report-folder.ts';
import { makeWarehouse, reportConfig } from './support/report-warehouse.ts';

type Files = Record<string, string>;

const yaml = smallReport['report.yaml'];

/** The faults of the small report with these files, as lines without its folder. */
async function faultsOf(files: Files): Promise<string[]> {
  const parent = await temporaryFolder();
  const warehouse = join(parent, 'none.duckdb');
  await writeReportFolder(parent, 'mine', { ...smallReport, ...files });
  const definition = await readReport(parent, 'mine');
  const { faults } = await checkReport(reportConfig(warehouse), definition);
  return faults.map((fault) => faultText(fault).replaceAll(`${definition.folder}/`, ''));
}

function withYaml(...changes: [string, string][]): Files {
  return {
    'report.yaml': changes.reduce((text, [from, to]) => {
      expect(text).toContain(from);
      return text.replace(from, to);
    }, yaml),
  };
}

function added(text: string): Files {
  return { 'report.yaml': `${yaml}${text}` };
}

test('lists the columns of each section, with types, formats and titles', async () => {
  const parent = await temporaryFolder();
  await writeReportFolder(parent, 'reach', smallReport);
  const warehouse = join(parent, 'w.duckdb');
  await makeWarehouse(warehouse, {});
  expect(await checkReport(reportConfig(warehouse), await readReport(parent, 'reach'))).toEqual({
    name: 'reach',
    fallbackReason: null,
    queries: 1,
    faults: [],
    sections: [
      {
        name: 'types',
        columns: [
          { name: 'type', type: 'VARCHAR', format: 'text', title: 'Type' },
          { name: 'impressions', type: 'HUGEINT', format: 'count', title: 'Seen' },
          { name: 'posts', type: 'BIGINT', format: 'count', title: 'Posts' },
        ],
      },
    ],
  });
});

test('reports are checked against an empty warehouse before the first load, with the reason', async () => {
  const warehouse = join(await temporaryFolder(), 'none.duckdb');
  const definition = await readReport(builtInReports, 'emv');
  const { fallbackReason, faults } = await checkReport(reportConfig(warehouse), definition);
  const why = `there is no warehouse at ${warehouse} yet; \`postledger run\` makes it`;
  expect({ fallbackReason, faults }).toEqual({ fallbackReason: why, faults: [] });
});

test('all faults of a report are reported together, ordered by file and line', async () => {
  const faults = await faultsOf({
    ...withYaml(['key: [type]', 'key: [kind]'], ['format: count', 'format: month']),
    'types.finding.sql': "select '{reach:count}' as text, 1 as n",
    '_lede.sql': 'select nothing\nfrom report_posts',
    '_cards.sql': "select 'EMV' as label",
  });
  expect(faults).toEqual([
    '_cards.sql: there is no column format, nor value; it has label',
    expect.stringMatching(/^_lede\.sql:1:8: Binder Error: Referenced column "nothing" not found/),
    'report.yaml:9: sections.0.key.0: types.sql has no column kind; it has type, impressions, posts',
    'report.yaml:12: sections.0.columns.impressions.format: types.sql gives HUGEINT, which cannot be printed as month',
    'types.finding.sql:1:9: {reach:count} names a column that does not exist',
  ]);
});

describe('SQL that the database refuses has its place', () => {
  test.each([
    [
      'after letters of several bytes',
      "select 'größe 日本' as x,\n  nothing from report_posts order by 1",
      2,
      3,
    ],
    ['where it cannot be read', 'select type\n\nfrom from report_posts;', 3, 6],
    ['of a table that is not there', 'select 1 as a\nfrom\n  report_post', 3, 3],
  ])('%s', async (_, sql, line, column) => {
    const [fault, ...others] = await faultsOf({ '_coverage.sql': sql });
    expect(fault).toMatch(new RegExp(`^_coverage\\.sql:${line}:${column}: `));
    expect(others).toEqual([]);
  });

  test('in the second of several views, while files that read that view are not reported', async () => {
    const views = `create or replace temp view ours as select type from report_posts;

create or replace temp view theirs as select kinds from ours;
`;
    const faults = await faultsOf({
      '_views.sql': views,
      '_coverage.sql': "select 'x' as text from theirs order by 1",
      '_lede.sql': "select 'x' as text from ours order by 1",
    });
    expect(faults).toEqual([expect.stringMatching(/^_views\.sql:3:46: Binder Error: .*"kinds"/)]);
  });

  test.each([
    ['', 'types.sql: there is no statement to run'],
    ['select 1; select 2', 'types.sql: there are 2 statements; write exactly one SELECT'],
  ])('or none, when it is the whole file: %j', async (sql, expected) => {
    expect(await faultsOf({ 'types.sql': sql })).toEqual([expected]);
  });
});

describe('a name in report.yaml that the SQL lacks', () => {
  const has = 'types.sql has no column reach; it has type, impressions, posts';
  test.each([
    [
      'a column',
      withYaml(['impressions: {', 'reach: {']),
      `report.yaml:12: sections.0.columns.reach: ${has}`,
    ],
    [
      'the sorting',
      withYaml(['sorted_by: impressions', 'sorted_by: reach']),
      `report.yaml:10: sections.0.sorted_by: ${has}`,
    ],
    [
      'the chart',
      added('    chart: { kind: bars, x: type, y: reach }\n'),
      `report.yaml:13: sections.0.chart.y: ${has}`,
    ],
  ])('%s', async (_, files, expected) => {
    expect(await faultsOf(files)).toEqual([expected]);
  });
});

describe('types', () => {
  test.each([
    [
      'of a chart',
      added('    chart: { kind: bars, x: posts, y: type }\n'),
      'report.yaml:13: sections.0.chart.y: type is VARCHAR; the chart takes a number',
    ],
  ])('%s', async (_, files, expected) => {
    expect(await faultsOf(files)).toEqual([expected]);
  });
});

describe('sentences', () => {
  test.each([
    [
      "select '{n:counts}' as text, 1 as n",
      1,
      9,
      '{n:counts} has an unknown format; the formats are text,',
    ],
  ])('%s', async (sql, line, column, message) => {
    const [fault, ...others] = await faultsOf({ 'types.notes.sql': sql });
    expect(fault).toContain(`types.notes.sql:${line}:${column}: ${message}`);
    expect(others).toEqual([]);
  });

  test('of _basis.sql name their section', async () => {
    expect(await faultsOf({ '_basis.sql': "select 'n = 3' as text" })).toEqual([
      '_basis.sql: there is no column section; it has text',
    ]);
  });

  test('may have braces of their own', async () => {
    const sql = "select 'in {braces} and {}: {n:count}' as text, 1 as n";
    expect(await faultsOf({ '_lede.sql': sql })).toEqual([]);
  });
});

test.each([
  [
    'an alias without its anchor',
    '# none\ntitle: *missing',
    /^report\.yaml:2: not valid YAML: an alias .* without an anchor .* before it$/,
  ],
  [
    'aliases of aliases',
    `a0: &a0 [x]\n${Array.from({ length: 25 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`).join('\n')}`,
    /^report\.yaml: not valid YAML: too many aliases/,
  ],
])('reports a report.yaml that cannot be read because of %s', async (_, text, told) => {
  const faults = await faultsOf({ 'report.yaml': text }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(ReportDefinitionError);
    return (error as ReportDefinitionError).faults.map((fault) => faultText(fault));
  });
  expect(faults.map((fault) => fault.replace(/^.*mine\//, ''))).toEqual([
    expect.stringMatching(told),
  ]);
});
