import type { ReportDefinition } from './report-catalog.ts';
import { ReportDefinitionError } from './report-errors.ts';
import type { ReportSession } from './report-session.ts';
import { makeReportViews, namingFile, textOf } from './section-query.ts';
import { resolveSetValues } from './set-values.ts';

export interface SectionExport {
  readonly session: ReportSession;
  readonly definition: ReportDefinition;
  /** A section's name. */
  readonly section: string;
  /** The report's own parameters, as `--set` gives them. */
  readonly set?: Readonly<Record<string, string>>;
}

/** How people get CSV, unless they ask otherwise: guarded, without a byte order mark. */
export interface CsvOptions {
  /** A byte order mark first, by which some spreadsheets know UTF-8. */
  readonly bom: boolean;
  /** Texts as they are, also those that a spreadsheet would take for a formula. */
  readonly raw: boolean;
}

export const plainCsv: CsvOptions = { bom: false, raw: false };

/**
 * Writes a section's rows as CSV: the columns of its SQL in their order, text that a spreadsheet would take
 * for a formula with a leading apostrophe unless they are to stay raw. Whole or not at all.
 * @returns how many rows
 */
export async function exportCsv(
  section: SectionExport,
  path: string,
  { bom, raw }: CsvOptions = plainCsv,
): Promise<number> {
  const { database, sql, params, query } = await prepare(section);
  return namingFile(query, () =>
    database.copyToCsv(sql, path, {
      guard: !raw,
      bom,
      timezone: section.session.config.timezone,
      params,
    }),
  );
}

/** The same rows and columns as Parquet, texts as they are. @returns how many rows */
export async function exportParquet(section: SectionExport, path: string): Promise<number> {
  const { database, sql, params, query } = await prepare(section);
  return namingFile(query, () => database.copyToParquet(sql, path, params));
}

async function prepare({ session, definition, section, set = {} }: SectionExport) {
  if (!definition.sections.some(({ name }) => name === section)) {
    const names = definition.sections.map(({ name }) => name).join(', ');
    throw new ReportDefinitionError(
      `${definition.name} has no section ${section}; it has ${names}`,
    );
  }
  const query = { definition, file: `${section}.sql` };
  await makeReportViews(session.database, definition);
  return {
    database: session.database,
    sql: textOf(query),
    params: resolveSetValues(definition, set),
    query,
  };
}
