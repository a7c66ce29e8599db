import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { allPosts, type ReportParameters } from '../../../src/report/report-parameters.ts';
import {
  openReportSession,
  type ReportConfig,
  type ReportSession,
} from '../../../src/report/report-session.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { makeWarehouse, reportConfig, type WarehouseRows } from './report-warehouse.ts';

/** A session on a warehouse of just these rows, closed at the end of the test. */
export async function openSessionOn(
  rows: WarehouseRows,
  parameters: Partial<ReportParameters> = {},
  config: Partial<ReportConfig> = {},
): Promise<ReportSession> {
  const path = join(await temporaryFolder(), 'warehouse.duckdb');
  await makeWarehouse(path, rows);
  const session = await openReportSession(reportConfig(path, config), {
    ...allPosts,
    ...parameters,
  });
  onTestFinished(() => session.close());
  return session;
}
