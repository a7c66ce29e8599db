import { copyToCsv, copyToParquet } from '../warehouse/query-file.ts';
import type { OpenReport } from './open-report.ts';
import { type SectionQuery, requireSelect, sourceOf, withFileInErrors } from './section-query.ts';

/** The options of CSV files. By default they are guarded against formulas and have no byte order mark. */
export interface CsvOptions {
  /** True to begin with a byte order mark, by which some spreadsheet programs recognize UTF-8. */
  readonly bom: boolean;
  /** True to leave texts as they are, even if a spreadsheet program would take them for a formula. */
  readonly raw: boolean;
}

export const plainCsv: CsvOptions = { bom: false, raw: false };

/**
 * Writes a section's rows as CSV. The columns have the order of the SQL. A text that a spreadsheet program
 * would take for a formula gets a leading apostrophe unless `raw` is set. The file is complete or absent.
 * @returns the number of rows
 */
export async function exportCsv(
  report: OpenReport,
  section: string,
  path: string,
  { bom, raw }: CsvOptions = plainCsv,
): Promise<number> {
  const query = await queryOf(report, section);
  const { sql, params } = sourceOf(query);
  return withFileInErrors(query, () =>
    copyToCsv(query.database, sql, path, {
      guard: !raw,
      bom,
      timezone: report.session.config.timezone,
      params,
    }),
  );
}

/**
 * Writes the same rows and columns as Parquet, with unchanged texts.
 * @returns the number of rows
 */
export async function exportParquet(
  report: OpenReport,
  section: string,
  path: string,
): Promise<number> {
  const query = await queryOf(report, section);
  const { sql, params } = sourceOf(query);
  return withFileInErrors(query, () => copyToParquet(query.database, sql, path, params));
}

async function queryOf(report: OpenReport, section: string): Promise<SectionQuery> {
  const query = { ...report, file: `${section}.sql` };
  await requireSelect(query);
  return query;
}
