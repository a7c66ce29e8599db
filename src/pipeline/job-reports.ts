import { readFile } from 'node:fs/promises';
import { basename, extname, relative, sep } from 'node:path';
import type { Config, JobConfig, JobReport, PeriodConfig, ReportFormat } from '../config/config.ts';
import type { DefinedDelivery } from '../config/defined-deliveries.ts';
import type { RunTools } from '../config/run-tools.ts';
import { type Day, dayOf } from '../core/calendar.ts';
import { InterruptedError, UsageError } from '../core/errors.ts';
import { canonicalHash } from '../core/json.ts';
import { problemText } from '../core/machine-problem.ts';
import { once } from '../core/once.ts';
import type { OutboxFile } from '../deliver/outbox.ts';
import { readSentReports } from '../deliver/sent-records.ts';
import type { CommentedFormat, ReportRequest } from '../output/report-output.ts';
import type { ReportSessions } from '../output/report-sessions.ts';
import { recordReport } from '../output/written-reports.ts';
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
  type ReportParameters,
} from '../report/report-parameters.ts';
import { plainCsv } from '../report/section-query.ts';
import type { Slot } from '../schedule/slot.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import { warehouseVersion } from '../warehouse/warehouse.ts';
import { readCommentFile } from './markdown-file.ts';
import { fillPlaceholders, type Places } from './placeholders.ts';

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
  readonly period: Period;
  /** The values of the placeholders of `out`. */
  readonly placeholders: Places;
  /** Absolute. */
  readonly folder: string;
}

/** A report that was written in all of its formats, with what deliveries need of it. */
export interface FinishedReport extends ReportTarget {
  readonly entry: JobReport;
  readonly document: ReportDocument;
  /** True for the report that comes first, as the overview does. */
  readonly leads: boolean;
  /** The files that a delivery may carry, as they were written: a later report may go to the same folder. */
  readonly files: readonly OutboxFile[];
}

type Documents = readonly [ReportDocument, ...ReportDocument[]];

type Days = Pick<Period, 'from' | 'to'>;

export interface JobReportsOptions {
  /** The time that they are rendered for, which decides their periods. */
  readonly slot: Slot;
  /** The deliveries that will ask for reports. */
  readonly deliveries: readonly DefinedDelivery[];
  /** The days of reports that have others than those of their own periods. */
  readonly days?: ReadonlyMap<JobReport, Days>;
}

/** What all reports of a job are rendered from. */
interface Source {
  readonly catalog: ReportCatalog;
  readonly sessions: ReportSessions;
  /** The version of it (`sourceVersion`), or an earlier one; null: unknown. */
  readonly version: string | null;
}

/**
 * The reports of a job at one time. Each is rendered, written and recorded once, when it is first asked for, and kept as
 * long as a delivery needs it. One that fails does not affect the others.
 */
export class JobReports {
  readonly slot: Slot;
  /** The outcomes by report, in the order in which they were rendered. */
  readonly #outcomes = new Map<JobReport, RenderedReport>();
  /** Null for those that failed. */
  readonly #finished = new Map<JobReport, FinishedReport | null>();
  readonly #job: JobConfig;
  readonly #tools: RunTools;
  readonly #source: Source;
  readonly #days: ReadonlyMap<JobReport, Days>;
  #deliveries: readonly DefinedDelivery[];
  #shared: SharedFiles;

  private constructor(
    job: JobConfig,
    { slot, deliveries, days = new Map() }: JobReportsOptions,
    tools: RunTools,
    source: Source,
  ) {
    this.slot = slot;
    this.#job = job;
    this.#tools = tools;
    this.#source = source;
    this.#days = days;
    this.#deliveries = deliveries;
    this.#shared = sharedFiles(tools);
  }

  /** Does the work while sessions on the warehouse are shared by the reports that can share one. */
  static async with<Result>(
    job: JobConfig,
    options: JobReportsOptions,
    tools: RunTools,
    work: (reports: JobReports) => Promise<Result>,
  ): Promise<Result> {
    const { clock, config, signal } = tools;
    const catalog = await examineReports([builtInReports, userReports(config.folder)]);
    const version = await sourceVersion(config);
    const { ReportSessions } = await import('../output/report-sessions.ts');
    const limits = { clock, signal, limits: defaultLimits };
    return ReportSessions.with(limits, (sessions) =>
      work(new JobReports(job, options, tools, { catalog, sessions, version })),
    );
  }

  get outcomes(): RenderedReport[] {
    return [...this.#outcomes.values()];
  }

  /** The version of what the reports are rendered from, or an earlier one; null: unknown. */
  get version(): string | null {
    return this.#source.version;
  }

  /** @returns null if it failed @throws InterruptedError */
  async render(entry: JobReport): Promise<FinishedReport | null> {
    const known = this.#finished.get(entry);
    if (known !== undefined) return known;
    const { signal } = this.#tools;
    if (signal.aborted) throw new InterruptedError('stopped before all reports were rendered');
    const target = this.#targetOf(entry);
    const written = await this.#write(entry, target).catch((cause: unknown) => {
      const error = this.#errorOf(entry, cause);
      return { document: null, paths: [], files: [], leads: false, error };
    });
    const { document, files, leads, error } = written;
    await this.#record(entry, target, written);
    const isFinished = document !== null && error === null;
    const finished = isFinished ? { ...target, entry, document, leads, files } : null;
    this.#finished.set(entry, finished);
    return finished;
  }

  /** Records that what was done with a report has failed. @throws InterruptedError */
  async fail(entry: JobReport, cause: unknown): Promise<null> {
    const error = this.#errorOf(entry, cause);
    const finished = this.#finished.get(entry);
    if (!finished) throw cause;
    const { files = [] } = this.#outcomes.get(entry) ?? {};
    await this.#record(entry, finished, { document: finished.document, paths: files, error });
    return null;
  }

  /** Returns the document with another comment, the same one for the same comment. */
  withComment(report: FinishedReport, comment: string | null): ReportDocument {
    return this.#shared.withComment(report, comment);
  }

  /**
   * Renders documents as one file, once for all recipients who get it.
   * @param formats in which the same report is written beside it
   */
  renderFile(
    format: CommentedFormat,
    formats: readonly ReportFormat[],
    ...documents: Documents
  ): Promise<Uint8Array> {
    return this.#shared.renderFile(format, formats, ...documents);
  }

  /** Forgets the reports that none of these deliveries has, and the files that were rendered for others. */
  keepFor(deliveries: readonly DefinedDelivery[]): void {
    this.#deliveries = deliveries;
    this.#shared = sharedFiles(this.#tools);
    for (const entry of this.#finished.keys())
      if (!deliveries.some(({ reports }) => reports.includes(entry))) this.#finished.delete(entry);
  }

  #targetOf(entry: JobReport): ReportTarget {
    const { config, clock } = this.#tools;
    const { timezone, language } = entry.client ?? config;
    const resolve = (wanted: PeriodConfig) => resolvePeriod(wanted, this.slot.at, config.timezone);
    const days = this.#days.get(entry);
    const period = { ...resolve(entry.period), ...(days && resolve(days)) };
    const today = dayOf(clock.now(), timezone);
    const placeholders = placesOf(this.#job, entry, period, { language, today });
    return { period, placeholders, folder: fillPlaceholders(entry.out, placeholders) };
  }

  async #write(entry: JobReport, { period, placeholders, folder }: ReportTarget) {
    const { config, clock } = this.#tools;
    const { catalog, sessions } = this.#source;
    const { report, client, set, formats } = entry;
    const sent = await readSentReports(config.dataDir, client?.key ?? null);
    const request: ReportRequest = {
      config: reportConfigOf(config, client, clock.now(), sent),
      parameters: parametersOf(this.#job, entry, period),
      set,
      formats,
      isDelivered: true,
      folder,
      browser: config.pdf.browser,
      csv: plainCsv,
      terminal: { width: null, hasColor: false },
      comment: await readCommentFile(entry.comment, placeholders),
    };
    const definition = definitionOf(report, catalog);
    if (definition instanceof Error) throw definition;
    checkSetKeys([definition], set);
    const { renderReport } = await import('../output/report-output.ts');
    const { document, files: paths, error } = await renderReport(definition, request, sessions);
    const files = error === null ? await this.#readFiles(entry, folder, paths) : [];
    return { document, paths, files, leads: definition.first, error };
  }

  /** Reads the files that a delivery may carry. */
  async #readFiles(
    entry: JobReport,
    folder: string,
    paths: readonly string[],
  ): Promise<OutboxFile[]> {
    const carriers = this.#deliveries.filter(({ reports }) => reports.includes(entry));
    const isCarried = (path: string) =>
      carriers.some(
        ({ delivery: { attach } }) =>
          attach?.some((format) => extname(path) === `.${format}`) ?? true,
      );
    return Promise.all(
      paths.filter(isCarried).map(async (path) => ({
        name: relative(folder, path).replaceAll(sep, '/'),
        content: await readFile(path),
      })),
    );
  }

  async #record(
    entry: JobReport,
    { period, folder }: ReportTarget,
    { document, paths, error }: Written,
  ): Promise<void> {
    const { report, client } = entry;
    const { config, clock, log } = this.#tools;
    const name = nameOf(entry);
    const problem = error && problemText(error);
    const files = [...paths];
    const rendered = { folder, files, period, slot: this.slot, document, error: problem };
    await recordReport(this.#job, entry, rendered, { config, clock }).catch((cause: unknown) => {
      log.warn({ report }, `the list of reports lacks ${name}: ${problemText(cause)}`);
    });
    if (problem !== null) log.warn({ report }, `report ${name} failed: ${problem}`);
    const outcome = { report, client: client?.key ?? null, folder, files, error: problem };
    this.#outcomes.set(entry, outcome);
  }

  /** @throws InterruptedError */
  #errorOf(entry: JobReport, cause: unknown): Error {
    const name = nameOf(entry);
    if (this.#tools.signal.aborted)
      throw new InterruptedError(`stopped while ${name} was rendered`, { cause });
    return reportErrorOf(`the report ${name}`, cause);
  }
}

/** What was written of a report, by absolute paths. */
interface Written {
  readonly document: ReportDocument | null;
  readonly paths: readonly string[];
  /** The error of the report or of one format. */
  readonly error: Error | null;
}

type SharedFiles = ReturnType<typeof sharedFiles>;

/** What recipients who get the same reports share, byte by byte. */
function sharedFiles({ config, clock, signal }: RunTools) {
  const { browser } = config.pdf;
  return {
    withComment: once(({ document }: FinishedReport, comment: string | null) =>
      comment === document.comment ? document : { ...document, comment },
    ),
    renderFile: once(
      async (
        format: CommentedFormat,
        formats: readonly ReportFormat[],
        ...[first, ...more]: Documents
      ) => {
        const { renderFile } = await import('../output/report-output.ts');
        // a comment on all of them is read once
        const others = more.map((document) =>
          document.comment === first.comment ? { ...document, comment: null } : document,
        );
        const what = more.length === 0 ? `the report ${first.name}` : 'the reports together';
        const limits = { timeoutMs: defaultLimits.timeoutMs * (1 + more.length) };
        const order = { what, browser, formats };
        return renderFile([first, ...others], format, order, { clock, signal, limits });
      },
    ),
  };
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
