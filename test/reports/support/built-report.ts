import { buildReport } from '../../../src/report/report-builder.ts';
import {
  builtInReports,
  factsFile,
  findReports,
  groupsFile,
  type ReportDefinition,
  viewsFile,
} from '../../../src/report/report-catalog.ts';
import type { ReportDocument } from '../../../src/report/report-document.ts';
import type { ReportParameters } from '../../../src/report/report-parameters.ts';
import type { ReportConfig } from '../../../src/report/report-session.ts';
import { openSessionOn } from '../../report/support/open-session.ts';
import type { WarehouseRows } from '../../report/support/report-warehouse.ts';

export interface Asked {
  /**
   * The sections that are built, and `_cards`, `_lede`, `_coverage`, `_basis` and `_total` for what these files add, and
   * `_warnings` for the caveats about data that look wrong. By default it is the whole report, which takes some thirty
   * times as long as one section.
   */
  readonly only?: readonly string[];
  readonly parameters?: Partial<ReportParameters>;
  readonly set?: Readonly<Record<string, string>>;
  readonly config?: Partial<ReportConfig>;
}

// the posts behind rows are those that explain lists (test/report/row-posts.test.ts)
const contents = { rowPosts: false, listRows: Infinity };

const builtIn = await findReports([builtInReports]);

/** A built-in report of just these rows. */
export async function buildOf(
  rows: WarehouseRows,
  report: string,
  { only, parameters, set, config }: Asked = {},
): Promise<ReportDocument> {
  const definition = builtIn.get(report);
  if (!definition) throw new Error(`no report ${report}`);
  const session = await openSessionOn(rows, parameters, config);
  if (!only) return buildReport(session, definition, set, contents);
  const warnings = only.includes('_warnings') ? session.warnings : () => Promise.resolve([]);
  const named = only.filter((name) => name !== '_warnings');
  return buildReport({ ...session, warnings }, narrowed(definition, named), set, contents);
}

/** What a report has beside its sections. */
const parts = ['_basis', '_cards', '_coverage', '_lede', '_total'];

/** What sections by a dimension say. */
const ofGroups = ['_findings', '_notes'];

/** A report with just these sections and parts, and what they read. */
export function narrowed(whole: ReportDefinition, only: readonly string[]): ReportDefinition {
  const { sections, sql, made } = whole;
  const unknown = only.filter((name) => !sql.has(`${name}.sql`));
  if (unknown.length > 0) throw new Error(`${whole.name} has no ${unknown.join(', ')}`);
  const isByGroups = sections.some(({ name }) => only.includes(name) && made.has(`${name}.sql`));
  const left = [
    ...[...sections.map(({ name }) => name), ...parts].filter((name) => !only.includes(name)),
    ...(isByGroups ? [] : ofGroups),
  ];
  const kept = [...sql].filter(([file]) => !left.includes(file.replace(/\..*$/, '')));
  const asked = sections.filter(({ name }) => only.includes(name));
  const isFilled = asked.some(({ basis, notes }) => JSON.stringify([basis, notes]).includes('{'));
  const readsFacts = isFilled || kept.some(([, text]) => /\breport_facts\b/.test(text));
  return {
    ...whole,
    sections: asked,
    sql: new Map(withoutUnread(kept.filter(([file]) => readsFacts || file !== factsFile))),
    what_if: whole.what_if.filter((name) => only.includes(name)),
  };
}

/** Leaves out the tables, views and macros that no file reads: making them takes longer than most sections. */
function withoutUnread(files: readonly [file: string, sql: string][]): [string, string][] {
  const isShared = (file: string) => file === groupsFile || file === viewsFile;
  let read = files.flatMap(([file, sql]) => (isShared(file) ? [] : sql)).join('\n');
  const readOf = (sql: string) => {
    const [header = ''] = /^(?:--.*\n)*/.exec(sql) ?? [];
    const statements = sql.slice(header.length).split(/(?<=;)\n+/);
    const kept = statements.toReversed().filter((statement) => {
      const [, name = ''] = /^create or replace temp \w+ (\w+)/m.exec(statement) ?? [];
      const isRead = new RegExp(`\\b${name}\\b`).test(read);
      if (isRead) read += statement;
      return isRead;
    });
    return kept.length === 0 ? '' : `${header}${kept.toReversed().join('\n')}`;
  };
  // what the groups make is read by the views
  return files
    .toReversed()
    .map(([file, sql]): [string, string] => [file, isShared(file) ? readOf(sql) : sql])
    .filter(([, sql]) => sql !== '')
    .toReversed();
}
