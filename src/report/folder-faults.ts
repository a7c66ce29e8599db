import { join } from 'node:path';
import type { DefinitionFile } from './definition-schema.ts';
import type { ReportFault } from './report-errors.ts';

/** Files of a report that belong to no section. */
export const reportFiles = [
  '_views.sql',
  '_cards.sql',
  '_lede.sql',
  '_coverage.sql',
  '_basis.sql',
  '_total.sql',
] as const;

/**
 * What in a report's folder does not fit its report.yaml: each section has its SQL, and no file is there that
 * nothing reads, as a misspelled one would be.
 * @param sql names of the folder's SQL files
 */
export function folderFaults(
  file: DefinitionFile,
  folder: string,
  sql: ReadonlySet<string>,
): ReportFault[] {
  const fault = (name: string, message: string): ReportFault => {
    return { path: join(folder, name), line: null, column: null, message };
  };
  const known = new Set<string>([...reportFiles, ...file.sections.flatMap(sectionFiles)]);
  const asksForTotals = file.sections.some((section) => section.total !== null);
  return [
    ...file.sections
      .filter(({ name }) => !sql.has(`${name}.sql`))
      .map(({ name }) => fault(`${name}.sql`, `missing: report.yaml has a section ${name}`)),
    ...[...sql]
      .filter((name) => !known.has(name))
      .map((name) => fault(name, 'belongs to no section of report.yaml; rename or remove it')),
    ...file.sections.flatMap(({ name, chart }) =>
      chart !== null && isMisdrawn(chart.rows, file)
        ? [
            fault(
              'report.yaml',
              `the chart of ${name} draws ${String(chart.rows)}, which is no section of layout data; write one`,
            ),
          ]
        : [],
    ),
    ...(asksForTotals && !sql.has('_total.sql')
      ? [fault('_total.sql', 'missing: report.yaml asks for totals')]
      : []),
  ];
}

function sectionFiles({ name }: { name: string }): string[] {
  return [`${name}.sql`, `${name}.finding.sql`, `${name}.notes.sql`];
}

function isMisdrawn(rows: string | null, { sections }: DefinitionFile): boolean {
  return rows !== null && !sections.some(({ name, layout }) => name === rows && layout === 'data');
}
