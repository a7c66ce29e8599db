import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInReports, findReports, readReport } from '../../src/report/report-catalog.ts';
import { sqlFolder } from '../../src/warehouse/sql-file.ts';

const reports = await findReports([builtInReports]);
/** What `report new` writes. */
const starter = await readReport(join(sqlFolder, '..', 'src', 'report', 'schema'), 'starter');
const sessionFolder = join(sqlFolder, 'report');
const sessionFiles = await Promise.all(
  (await readdir(sessionFolder)).map(
    async (name) =>
      [`sql/report/${name}`, await readFile(join(sessionFolder, name), 'utf8')] as const,
  ),
);
const reportFiles = [...reports.values(), starter].flatMap(({ name, sql, made }) =>
  [...sql]
    .filter(([file]) => !made.has(file))
    .map(([file, text]) => [`reports/${name}/${file}`, text] as const),
);

interface Header {
  readonly grain: string;
  readonly reads: readonly string[];
  readonly parameters: readonly string[];
}

/** Parses the header. A line that would say `none` may be omitted. */
function readHeader(text: string): Header {
  const pattern =
    /^-- grain: (.+)\n(?:-- key: .+\n)?(?:-- reads: (.+)\n)?(?:-- parameters: (.+)\n)?(?!-- \w+: )/;
  const [, grain, reads = '', parameters = ''] = pattern.exec(text) ?? [];
  if (!grain) throw new Error('the header is not complete');
  return { grain, reads: words(reads), parameters: words(parameters.replaceAll('$', '')) };
}

function words(list: string): string[] {
  return list === '' ? [] : list.split(', ').sort();
}

/** The statements without comments and literals. */
function codeOf(text: string): string {
  return text.replace(/--.*$|'(?:[^']|'')*'/gm, (part) => (part.startsWith('-') ? '' : "''"));
}

function namesIn(code: string, pattern: RegExp): string[] {
  return [...new Set([...code.matchAll(pattern)].map(([, name]) => String(name)))].sort();
}

/** Tables that rows come from: not a file's own steps, nor what a session file made before. */
function tablesRead(code: string): string[] {
  const steps = new Set(namesIn(code, /(\w+) as \(/g));
  const lists = namesIn(code, /\b(?:from|join)\s+([a-z_]+(?:\s*,\s*[a-z_]+)*)\b(?!\s*[(.])/g);
  const read = lists.flatMap((list) => list.split(/\s*,\s*/));
  return [...new Set(read)].filter((name) => !steps.has(name)).sort();
}

describe.each([...sessionFiles, ...reportFiles])('%s', (file, text) => {
  const code = codeOf(text);

  test('lists its tables and parameters in the header', () => {
    const header = readHeader(text);
    expect(header.parameters).toEqual(namesIn(code, /\$([a-z_]+)/g));
    expect(header.reads).toEqual(tablesRead(code).filter((name) => !isOwnView(file, name)));
  });

  test('is in lower case', () => {
    expect(code).not.toMatch(/[A-Z]/);
  });
});

/** sql/report/views.sql makes report_months from its own views; so do reports with theirs. */
function isOwnView(file: string, name: string): boolean {
  if (isOfShared(file)) return viewsMadeBy(file).includes(name);
  return file.endsWith('/views.sql') && ['report_posts', 'report_grain'].includes(name);
}

/** The files whose tables and views all of a report's files may read. */
function isOfShared(file: string): boolean {
  return file.endsWith('/_groups.sql') || file.endsWith('/_views.sql');
}

/** What a report's _groups.sql and _views.sql make for its other files. */
function viewsMadeBy(file: string): string[] {
  const folder = dirname(file);
  return reportFiles
    .filter(([name]) => isOfShared(name) && dirname(name) === folder)
    .flatMap(([, text]) => namesIn(codeOf(text), /create or replace temp (?:view|table) (\w+)/g));
}

describe.each(reportFiles)('%s', (file, text) => {
  test('gives one row, or its rows in a total order', () => {
    if (isOfShared(file)) return;
    const { grain } = readHeader(text);
    // a list is unnested in its own order
    if (/^(one row|at most one row|one \w+ of a list)/.test(grain)) return;
    expect(codeOf(text).trimEnd()).toMatch(/order by\s(?:[^()]|\w+_order\([a-z_.]+\))+;$/);
  });

  test('reads only tables that the filters apply to', () => {
    // all that the session makes of the posts, days and runs of the report
    const isOfSession = (name: string) =>
      /^(?:report_\w+|asked_days|failed_windows|metrics|unread_days)$/.test(name);
    const own = [
      ...viewsMadeBy(file),
      // joined with report_posts: that a figure is null in the newest reading stands nowhere else
      ...(file === 'reports/video/_views.sql' ? ['readings'] : []),
      // joined with report_posts as well
      ...(file.startsWith('reports/workflow/')
        ? ['approvals', 'inline_comments', 'review_readings']
        : []),
    ];
    const others = readHeader(text).reads.filter((name) => !own.includes(name));
    expect(others.filter((name) => !isOfSession(name))).toEqual([]);
  });
});
