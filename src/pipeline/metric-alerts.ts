import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { RunTools } from '../config/run-tools.ts';
import { InterruptedError } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { problemText } from '../core/machine-problem.ts';
import { notifyOrWarn } from '../deliver/notify.ts';
import { runFileQuery } from '../report/ad-hoc-query.ts';
import { faultText, lineAndColumn, type ReportFault } from '../report/report-errors.ts';
import { QueryError, WarehouseMissingError } from '../warehouse/warehouse-errors.ts';
import { writeFailedAlerts } from '../status/failed-alerts.ts';
import { defaultLimits, withinLimits } from '../warehouse/limits.ts';

type AlertTools = Pick<RunTools, 'config' | 'clock' | 'signal'>;

/**
 * Runs the SELECT of each file in `alerts/` beside jobs.yaml and notifies about its rows, whose cells are the text. A
 * file that fails does not affect the others, and is notified about as well.
 * @returns a sentence for each alert that failed
 */
export async function runAlerts(
  tools: AlertTools & Pick<RunTools, 'log'>,
): Promise<readonly string[]> {
  const { config, log } = tools;
  const failed: string[] = [];
  for (const file of areAlertsAsked(config) ? await listAlerts(config) : []) {
    const { texts, fault } = await runAlert(file, tools, false);
    const text = fault ? faultText(fault) : texts.join('\n');
    const state = fault ? 'failed' : texts.length > 0 ? 'alert' : 'ok';
    if (fault) {
      failed.push(text);
      log.warn({}, `an alert failed: ${text}`);
    }
    await notifyOrWarn({ job: `alert ${file.replace(/\.sql$/i, '')}`, state, text }, tools);
  }
  await writeFailedAlerts(failed, config);
  return failed;
}

/** Alerts have no reader without a rule for them, so they are not run. */
function areAlertsAsked({ notify }: Config): boolean {
  return notify.some(({ when }) => when.includes('alert'));
}

/** Finds alerts that are never run. */
export async function alertDoubts(config: Config): Promise<string[]> {
  const files = areAlertsAsked(config) ? [] : await listAlerts(config);
  if (files.length === 0) return [];
  const names = files.map((file) => join('alerts', file)).join(', ');
  return [
    `${names}: never run, since no rule of notify has alert in its when; add a rule to notify, or alert to the when of one`,
  ];
}

/** Plans the SELECT of each alert without running it. */
export async function checkAlerts(
  tools: AlertTools,
): Promise<{ readonly count: number; readonly faults: readonly ReportFault[] }> {
  const files = await listAlerts(tools.config);
  const faults: ReportFault[] = [];
  for (const file of files) {
    const { fault } = await runAlert(file, tools, true);
    if (fault) faults.push(fault);
  }
  return { count: files.length, faults };
}

/** @returns a text for each row, and what is wrong. Nothing is wrong while nothing has been loaded yet */
async function runAlert(
  file: string,
  { config, clock, signal }: AlertTools,
  isDryRun: boolean,
): Promise<{ readonly texts: readonly string[]; readonly fault: ReportFault | null }> {
  const { folder, warehouse } = config;
  const path = join('alerts', file);
  let sql = '';
  try {
    sql = await readFile(join(folder, path), 'utf8');
    if (!/^[\w-]+\.sql$/.test(file))
      throw new QueryError('the name of an alert has only letters, digits, _ and -');
    const tools = { clock, signal, limits: defaultLimits };
    const table = await withinLimits(`the alert ${file}`, tools, (limits) =>
      runFileQuery({ warehouse, sql, limits }, isDryRun),
    );
    return { texts: table?.rows.map((row) => row.map(String).join(' · ')) ?? [], fault: null };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    if (error instanceof WarehouseMissingError) return { texts: [], fault: null };
    const position = error instanceof QueryError ? error.position : null;
    const at = position === null ? { line: null, column: null } : lineAndColumn(sql, position);
    const remedy = error instanceof QueryError ? '; correct the file, or remove it' : '';
    const message = `${problemText(error).replaceAll('\n', ' ')}${remedy}`;
    return { texts: [], fault: { path, ...at, message } };
  }
}

/** Returns the names of the files, sorted. */
async function listAlerts({ folder }: Config): Promise<string[]> {
  return (await namesIn(join(folder, 'alerts'))).filter((file) => /\.sql$/i.test(file));
}
