import { readFile } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import type { ClientConfig, Config, JobConfig, JobReport, PeriodConfig } from '../config/config.ts';
import { type DefinedDelivery, definedDeliveries } from '../config/defined-deliveries.ts';
import type { RunTools } from '../config/run-tools.ts';
import { type Day, dayOf } from '../core/calendar.ts';
import { InterruptedError, UsageError } from '../core/errors.ts';
import { canonicalHash } from '../core/json.ts';
import { problemText } from '../core/machine-problem.ts';
import type { OutboxFile } from '../deliver/outbox.ts';
import type { Precision } from '../languages/number-format.ts';
import { readSentFigures } from '../deliver/sent-records.ts';
import type { ReportRequest } from '../output/report-output.ts';
import type { ReportSessions } from '../output/report-sessions.ts';
import { recordReport } from '../output/written-reports.ts';
import { precisionOf, type PrintedFigures } from '../report/precision.ts';
import { resolvePeriod, shortestName, type Period } from '../report/period.ts';
import {
  builtInReports,
  examineReports,
  userReports,
  type ReportCatalog,
  type ReportDefinition,
} from '../report/report-catalog.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { reportErrorOf } from '../report/report-errors.ts';
import {
  allPosts,
  checkSetKeys,
  notesByDay,
  reportConfigOf,
  changedValues,
  resolveSetValues,
  type ReportParameters,
  type SetValues,
} from '../report/report-parameters.ts';
import { plainCsv } from '../report/section-export.ts';
import type { Slot } from '../schedule/slot.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import { warehouseVersion } from '../warehouse/warehouse.ts';
import { repricedSince } from './delivered-prices.ts';
import { readCommentFile } from './markdown-file.ts';
import { fillPlaceholders, type PlaceholderValues } from './placeholders.ts';

/** The outcome of one of a job's reports. */
export interface RenderedReport {
  readonly report: string;
  /** The client's key; null: it is for none. */
  readonly client: string | null;
  /** Absolute, like the files, which are in it. */
  readonly folder: string;
  readonly files: readonly string[];
  /** The problem of the report, of one of its formats, or of a delivery that it completes. Null if there was none. */
  readonly error: string | null;
}

/** What a report is about, and where it goes. */
interface ReportTarget {
  readonly entry: JobReport;
  readonly period: Period;
  /** The values of the placeholders of `out`. */
  readonly placeholders: PlaceholderValues;
  /** Absolute. */
  readonly folder: string;
}

/** A report that was written in all of its formats, with what deliveries need of it. */
export interface FinishedReport extends ReportTarget {
  readonly document: ReportDocument;
  /** True for the report that comes first, as the overview does. */
  readonly leads: boolean;
  /** Its own parameters that have other values than their defaults. */
  readonly set: SetValues;
  /** The files that a delivery may carry, as they were written: a later report may go to the same folder. */
  readonly files: readonly OutboxFile[];
}

/** What the reports of a job are rendered from. */
interface Source {
  readonly job: JobConfig;
  /** The time that they are rendered for, which decides their periods. */
  readonly slot: Slot;
  /** The days of reports that have others than those of their own periods. */
  readonly days?: ReadonlyMap<JobReport, Pick<Period, 'from' | 'to'>>;
  /** A folder that all files go to, of which nothing is recorded; left out: each report's own. */
  readonly scratch?: string;
  readonly tools: RunTools;
  readonly catalog: ReportCatalog;
  readonly sessions: ReportSessions;
  /** The version of the warehouse and of the asked days (`sourceVersion`), or an earlier one; null: unknown. */
  readonly version: string | null;
}

/**
 * The reports of a job at one time. Each is rendered, written and recorded once, when it is first asked for, and kept as
 * long as a delivery needs it. One that fails does not affect the others.
 */
export class JobReports {
  readonly source: Source;
  /** The files that were rendered for deliveries, for others that have the same ones. */
  readonly sharedFiles = new Map<string, Uint8Array>();
  #deliveries: readonly DefinedDelivery[];
  /** Null for those that failed. */
  readonly #finished = new Map<JobReport, FinishedReport | null>();
  readonly #outcomes = new Map<JobReport, RenderedReport>();
  /** The decimals of the reports that are delivered together, by their client. */
  readonly #precisions = new Map<ClientConfig | null, Precision>();

  private constructor(source: Source, deliveries: readonly DefinedDelivery[]) {
    this.source = source;
    this.#deliveries = deliveries;
  }

  /**
   * Does the work while sessions on the warehouse are shared by the reports that can share one.
   * @param deliveries those that will ask for reports
   */
  static async with<Result>(
    about: Pick<Source, 'job' | 'slot' | 'days' | 'scratch' | 'tools'>,
    deliveries: readonly DefinedDelivery[],
    work: (reports: JobReports) => Promise<Result>,
  ): Promise<Result> {
    const { clock, config, signal } = about.tools;
    const catalog = await examineReports([builtInReports, userReports(config.folder)]);
    const version = await sourceVersion(config);
    const { ReportSessions } = await import('../output/report-sessions.ts');
    return ReportSessions.with({ clock, signal, limits: defaultLimits }, (sessions) =>
      work(new JobReports({ ...about, catalog, sessions, version }, deliveries)),
    );
  }

  /** In the order in which they were rendered. */
  get outcomes(): RenderedReport[] {
    return [...this.#outcomes.values()];
  }

  /** @returns null if it failed @throws InterruptedError */
  async render(entry: JobReport): Promise<FinishedReport | null> {
    const known = this.#finished.get(entry);
    if (known !== undefined) return known;
    if (this.source.tools.signal.aborted)
      throw new InterruptedError('stopped before all reports were rendered');
    const target = this.#targetOf(entry);
    const { document, paths, error, ...kept } = await this.#write(target).catch(
      (cause: unknown) => ({
        ...{ document: null, paths: [], leads: false, set: {}, files: [] },
        error: this.#errorOf(entry, cause),
      }),
    );
    await this.#record(target, document, paths, error);
    const finished = document && error === null ? { ...target, document, ...kept } : null;
    this.#finished.set(entry, finished);
    return finished;
  }

  /** Records that a delivery could not be made which the report completes. @throws InterruptedError */
  async fail(entry: JobReport, cause: unknown): Promise<null> {
    const error = this.#errorOf(entry, cause);
    const finished = this.#finished.get(entry);
    if (!finished) throw cause;
    const { files = [] } = this.#outcomes.get(entry) ?? {};
    await this.#record(finished, finished.document, files, error);
    return null;
  }

  /** Forgets the reports that none of these deliveries has, and the files that were rendered for others. */
  keepFor(deliveries: readonly DefinedDelivery[]): void {
    this.#deliveries = deliveries;
    this.sharedFiles.clear();
    for (const entry of this.#finished.keys())
      if (!deliveries.some(({ reports }) => reports.includes(entry))) this.#finished.delete(entry);
  }

  #targetOf(entry: JobReport): ReportTarget {
    const { job, slot, days, scratch, tools } = this.source;
    const { timezone, language } = entry.client ?? tools.config;
    const resolve = (wanted: PeriodConfig) => resolvePeriod(wanted, slot.at, tools.config.timezone);
    const others = days?.get(entry);
    const period = { ...resolve(entry.period), ...(others && resolve(others)) };
    const today = dayOf(tools.clock.now(), timezone);
    const placeholders = placeholderValues(job, entry, period, { language, today });
    const folder =
      scratch === undefined
        ? fillPlaceholders(entry.out, placeholders)
        : join(scratch, String(job.reports.indexOf(entry)));
    return { entry, period, placeholders, folder };
  }

  async #write(target: ReportTarget) {
    const { sessions } = this.source;
    const { entry, folder } = target;
    const { set } = entry;
    const precision = await this.#precisionFor(entry);
    const [definition, request] = await this.#definedRequest(target);
    const { renderReport } = await import('../output/report-output.ts');
    const wanted = { ...request, precision };
    const { document, files: paths, error } = await renderReport(definition, wanted, sessions);
    const carriers = this.#deliveries.filter(({ reports }) => reports.includes(entry));
    const files: OutboxFile[] = [];
    for (const path of paths)
      if (isLookedAt(path, this.source) || carriers.some((defined) => isAttached(path, defined)))
        files.push({
          name: relative(folder, path).replaceAll(sep, '/'),
          content: await readFile(path),
        });
    return {
      document,
      paths,
      leads: definition.first,
      set: changedValues(definition, resolveSetValues(definition, set)),
      files,
      error,
    };
  }

  /**
   * Returns the decimals of reports that are delivered together, whichever delivery asks for them: a reader who compares two
   * of them finds one figure printed alike. Undefined for a report that goes alone.
   */
  async #precisionFor({ client }: JobReport): Promise<Precision | undefined> {
    const { job, sessions } = this.source;
    const known = this.#precisions.get(client);
    if (known !== undefined) return known;
    const together = definedDeliveries(job).find(
      (defined) => defined.client === client && defined.reports.length > 1,
    );
    if (together === undefined) return undefined;
    const { readReportFigures } = await import('../output/report-output.ts');
    const printed: PrintedFigures[] = [];
    for (const entry of together.reports) {
      // one that fails says so when it is rendered
      const figures = this.#definedRequest(this.#targetOf(entry)).then(([definition, request]) =>
        readReportFigures(definition, request, sessions),
      );
      printed.push(...(await figures.catch(() => [])));
    }
    const precision = precisionOf(printed);
    this.#precisions.set(client, precision);
    return precision;
  }

  async #definedRequest({ entry, period, placeholders, folder }: ReportTarget) {
    const { job, tools, catalog } = this.source;
    const { config, clock } = tools;
    const { report, client, set, formats, copy } = entry;
    const parameters = parametersOf(job, entry, period, config.prices);
    const priced = { cpm: parameters.cpm, prices: parameters.prices, lists: config.prices };
    const sent = await readSentFigures(config.dataDir, client, repricedSince(client, priced));
    const request: ReportRequest = {
      config: reportConfigOf(config, client, clock.now(), sent),
      parameters,
      set,
      formats,
      isDelivered: true,
      folder,
      browser: config.pdf.browser,
      csv: plainCsv,
      terminal: { width: null, hasColor: false },
      comment: await readCommentFile(entry.comment, placeholders),
      copy,
    };
    const definition = definitionOf(report, catalog);
    if (definition instanceof Error) throw definition;
    checkSetKeys([definition], set);
    return [definition, request] as const;
  }

  /** @param paths absolute @param error that of the report, of one format, or of a delivery */
  async #record(
    { entry, period, folder }: ReportTarget,
    document: ReportDocument | null,
    paths: readonly string[],
    error: Error | null,
  ): Promise<void> {
    const { job, slot, scratch, tools } = this.source;
    const { report, client } = entry;
    const problem = error && problemText(error);
    const rendered = { folder, files: paths, period, slot, document, error: problem };
    if (scratch === undefined)
      await recordReport(job, entry, rendered, tools).catch((cause: unknown) => {
        tools.log.warn(
          { report },
          `the list of reports lacks ${nameOf(entry)}: ${problemText(cause)}`,
        );
      });
    if (problem !== null) tools.log.warn({ report }, `report ${nameOf(entry)} failed: ${problem}`);
    const outcome = { report, client: client?.key ?? null, folder, files: paths, error: problem };
    this.#outcomes.set(entry, outcome);
  }

  /** @throws InterruptedError */
  #errorOf(entry: JobReport, cause: unknown): Error {
    const name = nameOf(entry);
    if (this.source.tools.signal.aborted)
      throw new InterruptedError(`stopped while ${name} was rendered`, { cause });
    return reportErrorOf(`the report ${name}`, cause);
  }
}

function isAttached(path: string, { delivery: { attach } }: DefinedDelivery): boolean {
  return attach === null || attach.some((format) => extname(path) === `.${format}`);
}

/** What a person looks at beside what is attached, before it is sent. */
function isLookedAt(path: string, { scratch }: Source): boolean {
  return scratch !== undefined && ['.html', '.pdf', '.xlsx'].includes(extname(path));
}

function nameOf({ report, client }: JobReport): string {
  return client ? `${report} for ${client.key}` : report;
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

/** Returns the error of a broken report. Reports that the job does not name are ignored. */
function definitionOf(
  report: string,
  { reports, errors }: ReportCatalog,
): ReportDefinition | Error {
  const broken = [...errors].find(([folder]) => basename(folder) === report);
  return broken?.[1] ?? reports.get(report) ?? new UsageError(`there is no report ${report}`);
}

/** A job's reports are about its own profiles, those for a client about the client's. */
export function parametersOf(
  job: JobConfig,
  entry: JobReport,
  period: Period,
  lists: Config['prices'],
): ReportParameters {
  const prices = lists.get(entry.prices ?? '') ?? null;
  const { cpm, compare, filters, client } = entry;
  const { profiles: scope, targets, figures } = client ?? job;
  const notes = notesByDay([...job.notes, ...(client?.notes ?? [])]);
  const own = { scope, targets, figures, notes };
  return { ...allPosts, ...filters, ...period, ...own, cpm, prices, compare };
}

/** The values of placeholders. An open period has `all` for `{from}` and today for `{to}`. */
export function placeholderValues(
  job: Pick<JobConfig, 'name'>,
  entry: Pick<JobReport, 'report' | 'client'>,
  { from, to }: Period,
  { language, today }: { readonly language: string; readonly today: Day },
): PlaceholderValues {
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
