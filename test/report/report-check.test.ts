import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkReport, openCheck } from '../../src/report/report-check.ts';
import { builtInReports, readReport } from '../../src/report/report-catalog.ts';
import { ReportDefinitionError, faultText } from '../../src/report/report-errors.ts';
import type { ReportSession } from '../../src/report/report-session.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { smallReport, writeReportFolder } from './support/report-folder.ts';
import { reportConfig, sharedWarehouse } from './support/report-warehouse.ts';

type Files = Record<string, string>;

const yaml = smallReport['report.yaml'];

let session: ReportSession;
beforeAll(async () => {
  session = await openCheck(reportConfig(await sharedWarehouse({})));
});
afterAll(() => session.close());

/** The faults of the small report with these files, as lines without its folder. */
async function faultsOf(files: Files): Promise<string[]> {
  const parent = await temporaryFolder();
  await writeReportFolder(parent, 'mine', { ...smallReport, ...files });
  const definition = await readReport(parent, 'mine');
  const { faults } = await checkReport(session, definition);
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
  expect(await checkReport(session, await readReport(parent, 'reach'))).toEqual({
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
  const session = await openCheck(reportConfig(warehouse));
  onTestFinished(() => session.close());
  const { fallbackReason, faults } = await checkReport(session, definition);
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
  test('after letters of several bytes, where it cannot be read, and not if it is the whole file', async () => {
    const faults = await faultsOf({
      '_coverage.sql': "select 'größe 日本' as x,\n  nothing from report_posts order by 1",
      '_lede.sql': 'select type\n\nfrom from report_posts;',
      'types.finding.sql': 'select 1 as a\nfrom\n  report_post',
      'types.notes.sql': '',
      'types.sql': 'select 1; select 2',
    });
    expect(faults).toEqual([
      expect.stringMatching(/^_coverage\.sql:2:3: /),
      expect.stringMatching(/^_lede\.sql:3:6: /),
      expect.stringMatching(/^types\.finding\.sql:3:3: /),
      'types.notes.sql: there is no statement to run',
      'types.sql: there are 2 statements; write exactly one SELECT',
    ]);
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
});

test('a name in report.yaml that the SQL lacks is a fault at its place', async () => {
  const { 'report.yaml': renamed = '' } = withYaml(
    ['impressions: {', 'reach: {'],
    ['sorted_by: impressions', 'sorted_by: reach'],
  );
  const has = 'types.sql has no column reach; it has type, impressions, posts';
  expect(
    await faultsOf({
      'report.yaml': `${renamed}    chart: { kind: bars, x: type, y: reach }\n`,
    }),
  ).toEqual([
    `report.yaml:10: sections.0.sorted_by: ${has}`,
    `report.yaml:12: sections.0.columns.reach: ${has}`,
    `report.yaml:13: sections.0.chart.y: ${has}`,
  ]);
});

test('so are texts of report.yaml that _facts.sql does not fill, and the SQL of that file', async () => {
  const texts = added(
    "    basis: '{n:count} of {posts:counts}'\n    notes: ['{rows:count} rows']\n",
  );
  expect(await faultsOf({ ...texts, '_facts.sql': 'select 3 as posts' })).toEqual([
    'report.yaml:13: sections.0.basis: {n:count} names a column that does not exist',
    expect.stringMatching(
      /^report\.yaml:13: sections\.0\.basis: \{posts:counts\} has an unknown format/,
    ),
  ]);
  expect(await faultsOf({ '_facts.sql': 'select nothing from report_posts' })).toEqual([
    expect.stringMatching(/^_facts\.sql:1:8: Binder Error: Referenced column "nothing" not found/),
  ]);
});

test('a chart of texts is a fault', async () => {
  expect(await faultsOf(added('    chart: { kind: bars, x: posts, y: type }\n'))).toEqual([
    'report.yaml:13: sections.0.chart.y: type is VARCHAR; the chart takes a number',
  ]);
});

test('sentences have formats that are known, those of _basis.sql name their section, and they may have braces of their own', async () => {
  const faults = await faultsOf({
    '_basis.sql': "select 'n = 3' as text",
    '_lede.sql': "select 'in {braces} and {}: {n:count}' as text, 1 as n",
    'types.notes.sql': "select '{n:counts}' as text, 1 as n",
  });
  expect(faults).toEqual([
    '_basis.sql: there is no column section; it has text',
    expect.stringMatching(
      /^types\.notes\.sql:1:9: \{n:counts\} has an unknown format; the formats are text,/,
    ),
  ]);
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
