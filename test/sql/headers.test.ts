import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInReports, findReports, readReport } from '../../src/report/report-catalog.ts';
import { always, onDemand } from '../../src/report/session-tables.ts';
import { listSql, readSql, sqlFolder } from '../../src/warehouse/sql-file.ts';

type File = readonly [name: string, text: string];

const folders = ['load', 'views', 'checks', 'history', 'readings', 'status', 'rebuild', 'lake'];
const warehouseFiles = await Promise.all(
  (await Promise.all(folders.map(listSql)))
    .flat()
    .map(async (name): Promise<File> => [`sql/${name}`, await readSql(name)]),
);
const sessionFiles = await Promise.all(
  (await readdir(join(sqlFolder, 'report'))).map(async (name): Promise<File> => [
    `sql/report/${name}`,
    await readFile(join(sqlFolder, 'report', name), 'utf8'),
  ]),
);
/** What `report new` writes. */
const starter = await readReport(join(sqlFolder, '..', 'src', 'report', 'schema'), 'starter');
const reportFiles = [...(await findReports([builtInReports])).values(), starter].flatMap(
  ({ name, sql, made }) =>
    [...sql]
      .filter(([file]) => !made.has(file))
      .map(([file, text]): File => [`reports/${name}/${file}`, text]),
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
  if (!grain)
    throw new Error(
      'the file has to begin with `-- grain: …` (what one row is), `-- key: …`, `-- reads: …` (its tables) and `-- parameters: $…`, in this order; all but the first are left out where they would say none, and no other `-- word:` follows them',
    );
  return { grain, reads: words(reads), parameters: namesIn(parameters, /\$(\w+)/g) };
}

function words(list: string): string[] {
  return ['', 'none'].includes(list) ? [] : list.split(', ').sort();
}

/** The statements without comments and literals. */
function codeOf(text: string): string {
  return text.replace(/--.*$|'(?:[^']|'')*'/gm, (part) => (part.startsWith('-') ? '' : "''"));
}

function namesIn(code: string, pattern: RegExp): string[] {
  return [...new Set([...code.matchAll(pattern)].map(([, name]) => String(name)))].sort();
}

/** The macros that scripts of a session make for others, but for those that every session has. */
const sharedMacros = sessionFiles
  .filter(([file]) => !always.some((name) => file === `sql/${name}.sql`))
  .flatMap(([, text]) => macrosMadeBy(text));

function macrosMadeBy(code: string): string[] {
  return namesIn(code, /create or replace (?:temp )?macro (\w+)/g);
}

/** The macros that a file calls and does not make. */
function macrosCalled(code: string): string[] {
  const own = macrosMadeBy(code);
  return namesIn(code, /\b(\w+)\(/g).filter(
    (name) => sharedMacros.includes(name) && !own.includes(name),
  );
}

/** Tables that rows come from: not a file's own steps, nor what one of the warehouse makes for itself. */
function tablesRead(code: string, isOfReports: boolean): string[] {
  const made = [
    ...namesIn(code, /(\w+) as (?:not materialized )?\(/g),
    ...(isOfReports ? [] : namesIn(code, /create or replace temp table (\w+)/g)),
  ];
  const lists = namesIn(
    code,
    /(?<!distinct |delete )\b(?:from|join|using)\s+([a-z_]+(?:\.[a-z_]+)?(?:\s*,\s*[a-z_]+)*)\b(?!\s*[(.])/g,
  );
  const read = lists.flatMap((list) => list.split(/\s*,\s*/));
  return [...new Set(read)]
    .filter((name) => !made.includes(name) && !(isOfReports && name.includes('.')))
    .sort();
}

describe.each([...warehouseFiles, ...sessionFiles, ...reportFiles])('%s', (file, text) => {
  const code = codeOf(text);

  test('lists its tables and parameters in the header', () => {
    const header = readHeader(text);
    expect(header.parameters, '`-- parameters:` of the header').toEqual(
      namesIn(code, /\$([a-z_]+)/g),
    );
    const tables = tablesRead(code, file.includes('report'));
    expect(header.reads, '`-- reads:` of the header').toEqual(
      [...tables.filter((name) => !isOwnView(file, name)), ...macrosCalled(code)].sort(),
    );
  });

  test('is in lower case', () => {
    // but for what the API calls its fields
    expect(code).not.toMatch(/\b[A-Z]{2,}\b/);
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

test('scripts of a session read only what those before them make', async () => {
  const views = warehouseFiles
    .map(([file]) => file.replace(/^sql\//, ''))
    .filter((file) => file.startsWith('views/'));
  const files = [...always, ...onDemand].flatMap((name) =>
    name === 'views' ? views : [`${name}.sql`],
  );
  const made = new Set<string>();
  const early = new Set<string>();
  for (const file of files) {
    const text = await readSql(file);
    const makes = namesIn(text, /^create or replace (?:temp )?(?:table|view|macro) (\w+)/gm);
    for (const one of readHeader(text).reads) if (!makes.includes(one)) early.add(one);
    for (const one of makes) {
      expect(early.has(one) && !made.has(one) ? one : null, file).toBe(null);
      made.add(one);
    }
  }
});

describe.each(warehouseFiles)('%s', (_file, text) => {
  test('asks for nothing that DuckLake has not', () => {
    expect(codeOf(text)).not.toMatch(
      /\b(primary key|foreign key|unique|create index|sequence|enum|generated always|on conflict|returning)\b/,
    );
  });

  test('merges nothing: from a source with a CTE, DuckLake 1.5.5 doubles rows beyond 2,048', () => {
    expect(codeOf(text)).not.toMatch(/\bmerge\s+into\b/);
  });
});

const ordered = warehouseFiles.filter(([file]) => /^sql\/(history|status)\//.test(file));

test.each([...ordered, ...reportFiles.filter(([file]) => !isOfShared(file))])(
  '%s gives one row, or its rows in a total order',
  (_file, text) => {
    // a list is unnested in its own order
    if (/^(one row|at most one row|one \w+ of a list)/.test(readHeader(text).grain)) return;
    expect(codeOf(text).trimEnd()).toMatch(/order by\s(?:[^()]|\w+_order\([a-z_.]+\))+;$/);
  },
);

test.each(reportFiles)('%s reads only tables that the filters apply to', (file, text) => {
  // all that the session makes of the posts, days and runs of the report
  const isOfSession = (name: string) =>
    /^(?:report_\w+|asked_days|failed_windows|metrics|own_figures|unread_days)$/.test(name);
  const own = [
    ...viewsMadeBy(file),
    // joined with report_posts: that a figure is null in the newest reading stands nowhere else
    ...(file === 'reports/video/_views.sql' ? ['readings'] : []),
    // joined with report_posts as well
    ...(file.startsWith('reports/workflow/')
      ? ['approvals', 'inline_comments', 'review_readings']
      : []),
  ];
  const others = readHeader(text).reads.filter(
    (name) => !own.includes(name) && !sharedMacros.includes(name),
  );
  expect(others.filter((name) => !isOfSession(name))).toEqual([]);
});
