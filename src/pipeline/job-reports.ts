import { basename } from 'node:path';
import type { JobConfig, JobReport } from '../config/config.ts';
import { dayOf } from '../core/calendar.ts';
import { InterruptedError, UsageError } from '../core/errors.ts';
import { problemText } from '../core/machine-problem.ts';
import { resolvePeriod, type Period } from '../report/period.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportCatalog,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import { allPosts, type ReportParameters } from '../report/report-parameters.ts';
import { reportErrorOf } from '../report/report-errors.ts';
import { reportConfigOf } from '../report/report-parameters.ts';
import { plainCsv } from '../report/section-query.ts';
import { defaultLimits, moreByReportRun } from './limits.ts';
import { renderReports, type ReportRequest, type ReportResult } from './report-output.ts';
import type { RunTools } from './workspace-run.ts';

/** What became of one of a job's reports. */
export interface RenderedReport {
  readonly report: string;
  /** Absolute. */
  readonly folder: string;
  readonly files: readonly string[];
  /** What failed, the whole report or a format of it; null when it was rendered. */
  readonly error: string | null;
}

/** Renders a job's reports; one that fails costs the others nothing. */
export async function renderJobReports(job: JobConfig, tools: RunTools): Promise<RenderedReport[]> {
  if (job.reports.length === 0) return [];
  const catalog = await examineReports([builtInReports, userReports(tools.config.folder)]);
  const rendered: RenderedReport[] = [];
  for (const entry of job.reports) {
    if (tools.signal.aborted)
      throw new InterruptedError('stopped before all reports were rendered');
    rendered.push(await renderOne(job, entry, catalog, tools));
  }
  return rendered;
}

async function renderOne(
  job: JobConfig,
  entry: JobReport,
  catalog: ReportCatalog,
  tools: RunTools,
): Promise<RenderedReport> {
  const { config, clock, log } = tools;
  const now = clock.now();
  const period = resolvePeriod(entry.period, now, config.timezone);
  const folder = outFolder(job, entry, period, dayOf(now, config.timezone));
  const { report } = entry;
  try {
    const definition = definitionOf(report, catalog);
    const parameters = parametersOf(job, entry, period);
    const { files, error } = await write(definition, entry, parameters, folder, tools);
    if (error !== null) log.warn({ report }, `report ${report} failed: ${problemText(error)}`);
    return { report, folder, files, error: error && problemText(error) };
  } catch (error) {
    if (tools.signal.aborted)
      throw new InterruptedError(`stopped while ${report} was rendered`, { cause: error });
    const problem = problemText(reportErrorOf(`the report ${report}`, error));
    log.warn({ report }, `report ${report} failed: ${problem}`);
    return { report, folder, files: [], error: problem };
  }
}

/** @throws ReportDefinitionError for one that is broken; one that the job does not ask for is let be */
function definitionOf(report: string, { reports, errors }: ReportCatalog): ReportDefinition {
  const broken = [...errors].find(([folder]) => basename(folder) === report);
  if (broken) throw broken[1];
  const definition = reports.get(report);
  if (definition) return definition;
  throw new UsageError(`there is no report ${report}`);
}

async function write(
  definition: ReportDefinition,
  { formats }: JobReport,
  parameters: ReportParameters,
  folder: string,
  { config, clock, signal }: RunTools,
): Promise<Pick<ReportResult, 'files' | 'error'>> {
  const request: ReportRequest = {
    config: reportConfigOf(config),
    parameters,
    definitions: [definition],
    set: {},
    formats,
    folder,
    browser: config.pdf.browser,
    csv: plainCsv,
    printsAppendix: false,
    terminal: { width: null, color: false },
  };
  const tools = { clock, signal, limits: defaultLimits, remedies: moreByReportRun };
  for await (const result of renderReports(request, tools)) return result;
  throw new RangeError('a report has a result');
}

/** A job's reports are about its own profiles. */
function parametersOf(job: JobConfig, entry: JobReport, { from, to }: Period): ReportParameters {
  const { cpm, compare } = entry;
  return { ...allPosts, from, to, scope: job.profiles, cpm, compare };
}

/** Fills in the placeholders; an open period has `all` for `{from}` and today for `{to}`. */
function outFolder(job: JobConfig, entry: JobReport, { from, to }: Period, today: string): string {
  const values: Readonly<Record<string, string>> = {
    report: entry.report,
    job: job.name,
    from: from ?? 'all',
    to: to ?? today,
    date: today,
  };
  return entry.out.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
