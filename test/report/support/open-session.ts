import { allPosts, type ReportParameters } from '../../../src/report/report-parameters.ts';
import {
  openReportSession,
  type ReportConfig,
  type ReportSession,
} from '../../../src/report/report-session.ts';
import { reportConfig, sharedWarehouse, type WarehouseRows } from './report-warehouse.ts';

const sessions = new Map<string, ReportSession>();
const most = 12;

/**
 * A session on a warehouse of just these rows, shared by all that ask for the same. Nobody closes it: that happens
 * once some others were asked for since.
 */
export async function openSessionOn(
  rows: WarehouseRows,
  parameters: Partial<ReportParameters> = {},
  config: Partial<ReportConfig> = {},
): Promise<ReportSession> {
  const asked = { ...allPosts, ...parameters };
  const key = JSON.stringify([rows, asked, config, [...(config.workspaces ?? [])]]);
  const warehouse = reportConfig(await sharedWarehouse(rows), config);
  const session = sessions.get(key) ?? (await openReportSession(warehouse, asked));
  sessions.delete(key);
  for (const [eldest, unused] of sessions) {
    if (sessions.size < most) break;
    sessions.delete(eldest);
    unused.close();
  }
  sessions.set(key, session);
  return session;
}
