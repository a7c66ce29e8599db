import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ReportFormat } from '../config/config.ts';
import { InterruptedError } from '../core/errors.ts';
import { handOn } from '../core/private-files.ts';
import { withPrivateFolder } from '../core/private-folder.ts';
import { printPdf } from '../render/pdf.ts';
import { renderTerminalReport } from '../render/terminal-report.ts';
import { buildReport } from '../report/report-builder.ts';
import { checkReports, type CatalogCheck } from '../report/report-check.ts';
import { builtInReports, type ReportDefinition } from '../report/report-catalog.ts';
import type { ReportConfig } from '../report/report-parameters.ts';
import { reportErrorOf } from '../report/report-errors.ts';
import type { ReportParameters } from '../report/report-parameters.ts';
import { openReportSession, type ReportSession } from '../report/report-session.ts';
import type { CsvOptions } from '../report/section-query.ts';
import { withinLimits, type LimitTools } from './limits.ts';
import { reportHtml, writeReport, type WrittenFiles } from './report-files.ts';

/** What reports are made of. */
export interface ReportSource {
  readonly config: ReportConfig;
  readonly parameters: ReportParameters;
  /** The reports' own parameters, as `--set` gives them. */
  readonly set: Readonly<Record<string, string>>;
}

export interface ReportRequest extends ReportSource {
  readonly definitions: readonly ReportDefinition[];
  readonly formats: readonly ReportFormat[];
  readonly csv: CsvOptions;
  /** Whether the HTML has its appendix on paper too. */
  readonly printsAppendix: boolean;
  /** For `table`. */
  readonly terminal: { readonly width: number | null; readonly color: boolean };
  /** Absolute: where the files go. */
  readonly folder: string;
  /** Absolute path of the browser that prints PDFs; null: the first on PATH. */
  readonly browser: string | null;
}

/** What became of a report. */
export interface ReportResult {
  readonly name: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Of the format `table`. */
  readonly text: string;
  /** What failed: one format, or all of it where nothing was written; null: nothing. */
  readonly error: Error | null;
}

/**
 * Writes reports within limits of time and memory. Built-in ones that follow each other share a session, and show the
 * same load. A report that fails, or goes beyond the limits, costs the others nothing.
 * @throws InterruptedError when the signal aborts
 */
export async function* renderReports(
  request: ReportRequest,
  tools: LimitTools,
): AsyncGenerator<ReportResult> {
  for (const definitions of groupsOf(request.definitions)) {
    yield* await renderGroup({ ...request, definitions }, tools);
  }
}

/** A report's HTML. @throws what its files, its SQL or the limits give reason for */
export async function renderPage(
  { config, parameters, set, definition }: ReportSource & { definition: ReportDefinition },
  tools: LimitTools,
): Promise<string> {
  const name = nameOf([definition]);
  try {
    return await withinLimits(name, tools, async (limits) => {
      const session = await openReportSession(config, parameters, { limits });
      try {
        return await reportHtml(await buildReport(session, definition, set), []);
      } finally {
        session.close();
      }
    });
  } catch (error) {
    throw reportErrorOf(name, error);
  }
}

/** Holds reports against the warehouse. One that goes beyond the limits has that for its fault. */
export async function checkDefinitions(
  config: ReportConfig,
  definitions: readonly ReportDefinition[],
  tools: LimitTools,
): Promise<CatalogCheck> {
  const checks: CatalogCheck[] = [];
  for (const group of groupsOf(definitions)) checks.push(await checkGroup(config, group, tools));
  return {
    reports: checks.flatMap(({ reports }) => reports),
    standIn: checks.find(({ standIn }) => standIn !== null)?.standIn ?? null,
  };
}

async function renderGroup(request: ReportRequest, tools: LimitTools): Promise<ReportResult[]> {
  const { definitions, folder } = request;
  try {
    const hasFiles = request.formats.some((format) => format !== 'table');
    if (!hasFiles) return await renderInto(null, request, tools);
    return await withPrivateFolder(nearestFolder(folder), (own) => renderInto(own, request, tools));
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return definitions.map(({ name }) => failed(name, error));
  }
}

function failed(name: string, error: unknown): ReportResult {
  return { name, files: [], text: '', error: reportErrorOf(`the report ${name}`, error) };
}

/** @param own the only folder that the reports' SQL may touch; null where no file is written */
async function renderInto(
  own: string | null,
  request: ReportRequest,
  tools: LimitTools,
): Promise<ReportResult[]> {
  const { config, parameters, definitions } = request;
  return withinLimits(nameOf(definitions), tools, async (limits) => {
    const options = { limits, ...(own !== null && { folder: own }) };
    const session = await openReportSession(config, parameters, options);
    try {
      const results: ReportResult[] = [];
      for (const definition of definitions)
        results.push(await renderOne(session, definition, own, request, tools));
      return results;
    } finally {
      session.close();
    }
  });
}

async function renderOne(
  session: ReportSession,
  definition: ReportDefinition,
  own: string | null,
  request: ReportRequest,
  tools: LimitTools,
): Promise<ReportResult> {
  const { definitions, set, formats, csv, printsAppendix, terminal } = request;
  const { name } = definition;
  try {
    const job = { session, definition, set, formats, folder: own ?? '', csv, printsAppendix };
    const written = await writeReport(job);
    const text = formats.includes('table') ? renderTerminalReport(written.document, terminal) : '';
    return { name, text, ...(await publish(name, written, own ?? '', request, tools)) };
  } catch (error) {
    if (session.database.isInterrupted || definitions.length === 1) throw error;
    return failed(name, error);
  }
}

/** Moves a report's files from where they were made to where they were asked for, and prints its page. */
async function publish(
  name: string,
  { document, files, page }: WrittenFiles,
  own: string,
  { folder, browser }: ReportRequest,
  { clock, signal, limits }: LimitTools,
): Promise<Pick<ReportResult, 'files' | 'error'>> {
  const what = `the report ${name}`;
  const published: string[] = [];
  const move = async (file: string): Promise<void> => {
    const path = join(folder, relative(own, file));
    await handOn(file, path);
    published.push(path);
  };
  try {
    for (const file of files) await move(file);
    if (page !== null) {
      const pdf = join(own, `${name}.pdf`);
      const order = { what, html: page, pdf, browser, dataAsOf: document.dataAsOf };
      await printPdf(order, { clock, signal, timeoutMs: limits.timeoutMs });
      await move(pdf);
    }
    return { files: published, error: null };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return { files: published, error: reportErrorOf(what, error) };
  }
}

async function checkGroup(
  config: ReportConfig,
  definitions: readonly ReportDefinition[],
  tools: LimitTools,
): Promise<CatalogCheck> {
  try {
    return await withinLimits(nameOf(definitions), tools, (limits) =>
      checkReports(config, definitions, limits),
    );
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    const { message } = reportErrorOf(nameOf(definitions), error);
    const reports = definitions.map(({ name, folder, sql }) => ({
      name,
      queries: sql.size,
      sections: [],
      faults: [{ path: folder, line: null, column: null, message }],
    }));
    return { reports, standIn: null };
  }
}

/** Each report of a user's own alone: none can hold up another, or make views that another one reads. */
function groupsOf(definitions: readonly ReportDefinition[]): ReportDefinition[][] {
  const groups: ReportDefinition[][] = [];
  const ours = realpathSync(builtInReports);
  let isOpen = false;
  for (const definition of definitions) {
    const isOurs = dirname(definition.folder) === ours;
    if (isOurs && isOpen) groups.at(-1)?.push(definition);
    else groups.push([definition]);
    isOpen = isOurs;
  }
  return groups;
}

function nameOf(definitions: readonly ReportDefinition[]): string {
  const names = definitions.map(({ name }) => name).join(', ');
  return `${definitions.length === 1 ? 'the report' : 'the reports'} ${names}`;
}

/** On the same disk, so that what is written there can be moved to `folder`. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}
