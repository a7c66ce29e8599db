import { buildReport } from '../../../src/report/report-builder.ts';
import { builtInReports, findReports } from '../../../src/report/report-catalog.ts';
import type { ReportDocument } from '../../../src/report/report-document.ts';
import type { ReportParameters } from '../../../src/report/report-parameters.ts';
import type { ReportConfig } from '../../../src/report/report-session.ts';
import { openSessionOn } from '../../report/support/open-session.ts';
import type { WarehouseRows } from '../../report/support/report-warehouse.ts';

export interface Asked {
  readonly parameters?: Partial<ReportParameters>;
  readonly set?: Readonly<Record<string, string>>;
  readonly config?: Partial<ReportConfig>;
}

const builtIn = await findReports([builtInReports]);

/** A built-in report of just these rows. */
export async function buildOf(
  rows: WarehouseRows,
  report: string,
  { parameters, set, config }: Asked = {},
): Promise<ReportDocument> {
  const definition = builtIn.get(report);
  if (!definition) throw new Error(`no report ${report}`);
  return buildReport(await openSessionOn(rows, parameters, config), definition, set);
}
