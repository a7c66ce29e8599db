import { buildReport } from '../../../src/report/report-builder.ts';
import {
  builtInReports,
  findReports,
  type ReportDefinition,
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

/** What a report has beside its sections. Its other files are what all of its SQL reads. */
const parts = ['_basis', '_cards', '_coverage', '_lede', '_total'];

/** A report with just these sections and parts. */
export function narrowed(whole: ReportDefinition, only: readonly string[]): ReportDefinition {
  const { sections, sql } = whole;
  const unknown = only.filter((name) => !sql.has(`${name}.sql`));
  if (unknown.length > 0) throw new Error(`${whole.name} has no ${unknown.join(', ')}`);
  const left = [...sections.map(({ name }) => name), ...parts].filter(
    (name) => !only.includes(name),
  );
  return {
    ...whole,
    sections: sections.filter(({ name }) => only.includes(name)),
    sql: new Map([...sql].filter(([file]) => !left.includes(file.replace(/\..*$/, '')))),
    what_if: whole.what_if.filter((name) => only.includes(name)),
  };
}
