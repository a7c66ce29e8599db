import { readSentReports } from '../deliver/sent-records.ts';
import { basename } from 'node:path';
import type { Config, JobConfig, JobReport, PeriodConfig } from '../config/config.ts';
import { type Day, dayOf } from '../core/calendar.ts';
import { InterruptedError, UsageError } from '../core/errors.ts';
import { canonicalHash } from '../core/json.ts';
import { once } from '../core/once.ts';
import { problemText } from '../core/machine-problem.ts';
import { resolvePeriod, shortestName, type Period } from '../report/period.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportCatalog,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import {
  allPosts,
  checkSetKeys,
  notesByDay,
  reportConfigOf,
  type ReportParameters,
} from '../report/report-parameters.ts';
import { reportErrorOf } from '../report/report-errors.ts';
import { plainCsv } from '../report/section-query.ts';
import type { Slot } from '../schedule/slot.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import type { MadeReport } from './delivered-report.ts';
import { MarkdownFileError, readCommentFile } from './markdown-file.ts';
import { fillPlaceholders, type Places } from './placeholders.ts';
import type { CommentedFormat, ReportRequest } from '../output/report-output.ts';
import type { ReportDocument } from '../report/report-document.ts';
import type { ReportSessions } from '../output/report-sessions.ts';
import type { RunTools } from '../config/run-tools.ts';
import { warehouseVersion } from '../warehouse/warehouse.ts';
import { recordReport } from '../output/written-reports.ts';

/** Takes a report that was rendered, to send it. @throws MarkdownFileError once it has taken all that can be sent */
export type Deliver = (job: JobConfig, report: JobReport, made: MadeReport) => Promise<void>;

/** The outcome of one of a job's reports. */
export type RenderedReport = Awaited<ReturnType<typeof renderOne>>;

export interface RenderOptions {
  /** The time that they are made for, which decides their periods. */
  readonly slot: Slot;
  /** Takes each report that was rendered; null: they are only written. */
  readonly deliver: Deliver | null;
  /** Those of the job's reports to render; by default all. */
  readonly reports?: readonly JobReport[];
  /** The days of a report instead of those of its own period; null: its own. */
  readonly daysOf?: (report: JobReport) => Pick<Period, 'from' | 'to'> | null;
}

/** Renders a job's reports; one that fails does not affect the others. */
export async function renderJobReports(
  job: JobConfig,
  tools: RunTools,
  options: RenderOptions,
): Promise<RenderedReport[]> {
  const { reports = job.reports } = options;
  if (reports.length === 0) return [];
  const catalog = await examineReports([builtInReports, userReports(tools.config.folder)]);
  const { clock, config, signal } = tools;
  const warehouse = await sourceVersion(config);
  const limits = { clock, signal, limits: defaultLimits };
  const { ReportSessions } = await import('../output/report-sessions.ts');
  return ReportSessions.with(limits, async (sessions) => {
    const rendered: RenderedReport[] = [];
    for (const entry of reports) {
      if (signal.aborted) throw new InterruptedError('stopped before all reports were rendered');
      const shared = { ...options, catalog, sessions, warehouse };
      rendered.push(await renderOne(job, entry, shared, tools));
    }
    return rendered;
  });
}

/**
 * Returns the version of what reports are made from: of the warehouse, and of the days that jobs.yaml asks for. Null: it
 * is unknown.
 */
export async function sourceVersion(config: Config): Promise<string | null> {
  const version = await warehouseVersion(config);
  const asked = [...config.jobs.values()].map(({ profiles, windows: { start, days } }) => ({
    profiles: profiles.map(({ workspace, id, until }) => ({ workspace, id, until })),
    start,
    days,
  }));
  return version === null ? null : canonicalHash({ version, asked });
}

/** What the reports of a job have in common. */
interface Shared {
  readonly catalog: ReportCatalog;
  readonly sessions: ReportSessions;
  /** The version of what they are made from, or an earlier one; null: unknown. */
  readonly warehouse: string | null;
}

async function renderOne(
  job: JobConfig,
  entry: JobReport,
  { catalog, sessions, warehouse, slot, deliver, daysOf }: RenderOptions & Shared,
  { config, clock, log, signal }: RunTools,
) {
  const { report, client } = entry;
  const now = clock.now();
  const { timezone } = client ?? config;
  const resolve = (wanted: PeriodConfig) => resolvePeriod(wanted, slot.at, config.timezone);
  const days = daysOf?.(entry);
  const period = { ...resolve(entry.period), ...(days && resolve(days)) };
  const name = client ? `${report} for ${client.key}` : report;
  const places = placesOf(job, entry, period, {
    language: (client ?? config).language,
    today: dayOf(now, timezone),
  });
  const sent = await readSentReports(config.dataDir, client?.key ?? null);
  const about: Omit<ReportRequest, 'comment'> = {
    config: reportConfigOf(config, client, now, sent),
    parameters: parametersOf(job, entry, period),
    set: entry.set,
    formats: entry.formats,
    isDelivered: deliver !== null,
    folder: fillPlaceholders(entry.out, places),
    browser: config.pdf.browser,
    csv: plainCsv,
    terminal: { width: null, hasColor: false },
  };
  const render = async () => {
    const comment = await readCommentFile(entry.comment, places);
    const request = { ...about, comment };
    const definition = definitionOf(report, catalog);
    if (definition instanceof Error) throw definition;
    checkSetKeys([definition], entry.set);
    const { renderReport, renderFile } = await import('../output/report-output.ts');
    const made = await renderReport(definition, request, sessions);
    const { document, files } = made;
    if (!deliver || !document || made.error !== null) return made;
    const { folder } = request;
    try {
      const isOver = period.isOver === true;
      const withComment = once((other: string | null) =>
        other === comment ? document : { ...document, comment: other },
      );
      const renderAs = once((changed: ReportDocument, format: CommentedFormat) =>
        renderFile([changed], format, { ...request, what: `the report ${report}` }, sessions.tools),
      );
      const about = { slot, isOver, warehouse, leads: definition.first, folder, places };
      await deliver(job, entry, { ...about, document, files, withComment, renderAs });
      return made;
    } catch (error) {
      if (!(error instanceof MarkdownFileError)) throw error;
      return { ...made, error };
    }
  };
  const { document, files, error } = await render().catch((cause: unknown) => {
    if (signal.aborted) throw new InterruptedError(`stopped while ${name} was rendered`, { cause });
    return { document: null, files: [], error: reportErrorOf(`the report ${name}`, cause) };
  });
  const problem = error && problemText(error);
  const rendered = { folder: about.folder, files, period, slot, document, error: problem };
  await recordReport(job, entry, rendered, { config, clock }).catch((cause: unknown) => {
    log.warn({ report }, `the list of reports lacks ${name}: ${problemText(cause)}`);
  });
  if (problem !== null) log.warn({ report }, `report ${name} failed: ${problem}`);
  // the error is that of the report or of one format; folder and files are absolute
  return { report, client: client?.key ?? null, folder: about.folder, files, error: problem };
}

/** Returns the error of a broken report. Reports that the job does not name are ignored. */
function definitionOf(
  report: string,
  { reports, errors }: ReportCatalog,
): ReportDefinition | Error {
  const broken = [...errors].find(([folder]) => basename(folder) === report);
  return broken?.[1] ?? reports.get(report) ?? new UsageError(`there is no report ${report}`);
}

/** A job's reports are about its own profiles, those for a client about the client's. */
export function parametersOf(job: JobConfig, entry: JobReport, period: Period): ReportParameters {
  const { cpm, compare, filters, client } = entry;
  const { profiles: scope, targets } = client ?? job;
  const notes = notesByDay([...job.notes, ...(client?.notes ?? [])]);
  return { ...allPosts, ...filters, ...period, scope, targets, notes, cpm, compare };
}

/** The values of placeholders. An open period has `all` for `{from}` and today for `{to}`. */
export function placesOf(
  job: Pick<JobConfig, 'name'>,
  entry: Pick<JobReport, 'report' | 'client'>,
  { from, to }: Period,
  { language, today }: { readonly language: string; readonly today: Day },
): Places {
  return {
    report: entry.report,
    job: job.name,
    client: entry.client?.key ?? '',
    from: from ?? 'all',
    to: to ?? today,
    date: today,
    period: shortestName({ from, to }),
    language,
  };
}
