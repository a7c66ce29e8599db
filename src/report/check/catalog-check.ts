import { PostledgerError } from '../../core/errors.ts';
import { Database } from '../../warehouse/database.ts';
import { engineSettings, type EngineLimits } from '../../warehouse/engine-limits.ts';
import { migrate } from '../../warehouse/schema.ts';
import { openWarehouse } from '../../warehouse/warehouse.ts';
import type { ReportDefinition } from '../report-catalog.ts';
import { allPosts } from '../report-parameters.ts';
import { prepareSession, type ReportConfig, type ReportSession } from '../report-session.ts';
import { checkReport, type CheckedReport } from './report-check.ts';

export interface CatalogCheck {
  readonly reports: readonly CheckedReport[];
  /** Why an empty warehouse stood in for the configured one; null where that could be read. */
  readonly standIn: string | null;
}

/**
 * Holds reports against the warehouse, or, where none can be read, against an empty one of the same schema.
 * @param limits what each report may take of the machine
 */
export async function checkReports(
  config: ReportConfig,
  definitions: Iterable<ReportDefinition>,
  limits?: EngineLimits,
): Promise<CatalogCheck> {
  const standIn = await problemOf(config.warehouse);
  const reports: CheckedReport[] = [];
  for (const definition of definitions) {
    const session = await openSession(config, standIn !== null, limits);
    try {
      reports.push(await checkReport(session, definition));
    } finally {
      session.close();
    }
  }
  return { reports, standIn };
}

async function problemOf(warehouse: string): Promise<string | null> {
  try {
    (await openWarehouse(warehouse)).close();
    return null;
  } catch (error) {
    if (error instanceof PostledgerError) return error.message;
    throw error;
  }
}

async function openSession(
  config: ReportConfig,
  isStandIn: boolean,
  limits: EngineLimits | undefined,
): Promise<ReportSession> {
  if (!isStandIn)
    return prepareSession(await openWarehouse(config.warehouse, limits), config, allPosts);
  const settings = limits && engineSettings(limits);
  const database = await Database.open(':memory:', 'READ_WRITE', settings);
  if (limits) database.interruptOn(limits.signal);
  try {
    await migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return prepareSession(database, config, allPosts);
}
