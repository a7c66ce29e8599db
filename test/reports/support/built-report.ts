import { join } from 'node:path';
import { buildReport } from '../../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../../src/report/report-catalog.ts';
import type { ReportDocument } from '../../../src/report/report-document.ts';
import { allPosts, type ReportParameters } from '../../../src/report/report-parameters.ts';
import { openReportSession, type ReportConfig } from '../../../src/report/report-session.ts';
import {
  makeWarehouse,
  reportConfig,
  type WarehouseRows,
} from '../../report/support/report-warehouse.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface Asked {
  readonly parameters?: Partial<ReportParameters>;
  readonly set?: Readonly<Record<string, string>>;
  readonly config?: Partial<ReportConfig>;
}

const builtIn = await findReports([builtInReports]);

/** A built-in report of a warehouse file. */
export async function buildFrom(
  file: string,
  report: string,
  { parameters = {}, set = {}, config = {} }: Asked = {},
): Promise<ReportDocument> {
  const definition = builtIn.get(report);
  if (!definition) throw new Error(`no report ${report}`);
  const session = await openReportSession(reportConfig(file, config), {
    ...allPosts,
    ...parameters,
  });
  try {
    return await buildReport(session, definition, set);
  } finally {
    session.close();
  }
}

/** A built-in report of just these rows. */
export async function buildOf(
  rows: WarehouseRows,
  report: string,
  asked: Asked = {},
): Promise<ReportDocument> {
  const file = join(await temporaryFolder(), 'warehouse.duckdb');
  await makeWarehouse(file, rows);
  return buildFrom(file, report, asked);
}
