import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { ReportFormat } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { nearestFolder } from '../core/destination.ts';
import { InterruptedError, UnreachableError } from '../core/errors.ts';
import { publishFile } from '../core/private-files.ts';
import { printPdf, type PrintOrder, type PrintTools } from '../render/pdf.ts';
import { renderTerminalReport } from '../render/terminal-report.ts';
import { writeWorkbook } from '../render/xlsx/workbook.ts';
import { buildReport } from '../report/report-builder.ts';
import { checkReport, openCheck, type CheckedReport } from '../report/report-check.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { reportErrorOf } from '../report/report-errors.ts';
import type { ReportConfig, ReportParameters } from '../report/report-parameters.ts';
import { openReportSession } from '../report/report-session.ts';
import type { CsvOptions } from '../report/section-query.ts';
import type { LimitTools } from '../warehouse/limits.ts';
import { printedHtml, reportHtml, writeReport, type WrittenReport } from './report-files.ts';
import { ReportSessions, type SessionRequest } from './report-sessions.ts';

/** The inputs of a report. */
export interface ReportSource {
  readonly config: ReportConfig;
  readonly parameters: ReportParameters;
  /** The report's own parameters, as `--set` gives them. */
  readonly set: Readonly<Record<string, string>>;
}

export interface ReportRequest extends ReportSource {
  readonly formats: readonly ReportFormat[];
  /** What its sender wrote about it, as Markdown; by default nothing. */
  readonly comment?: string | null;
  /** True if mails have parts of the document, whatever the formats. */
  readonly isDelivered: boolean;
  readonly csv: CsvOptions;
  /** True if the HTML prints its appendix. */
  readonly printsAppendix: boolean;
  /** The terminal of the format `table`. */
  readonly terminal: { readonly width: number | null; readonly color: boolean };
  /** Absolute: where the files go. */
  readonly folder: string;
  /** Absolute path of the browser that prints PDFs; null: the first on PATH. */
  readonly browser: string | null;
}

/** The outcome of a report. */
export interface ReportResult {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** The text of the format `table`. */
  readonly text: string;
  /** The document that was written; null when nothing was. */
  readonly document: ReportDocument | null;
  /** The error of one format, or of the whole report when nothing was written; null when nothing failed. */
  readonly error: Error | null;
}

/**
 * Writes a report within limits of time and memory.
 * @throws InterruptedError when the signal aborts
 * @throws UnreachableError when the warehouse cannot be reached
 */
export async function renderReport(
  definition: ReportDefinition,
  request: ReportRequest,
  sessions: ReportSessions,
): Promise<ReportResult> {
  const what = nameOf(definition);
  try {
    const hasFiles = request.formats.some((format) => format !== 'table');
    const order = await sessionFor(request, hasFiles ? nearestFolder(request.folder) : null);
    return await sessions.use(what, order, async (session, folder) => {
      const written = await writeReport({ ...request, session, definition, folder });
      const text = request.formats.includes('table')
        ? renderTerminalReport(written.document, request.terminal)
        : '';
      const files = await publish(definition, written, folder, request, sessions.tools);
      return { text, document: written.document, ...files };
    });
  } catch (error) {
    // another run or machine makes the report later
    if (error instanceof InterruptedError || error instanceof UnreachableError) throw error;
    return { files: [], text: '', document: null, error: reportErrorOf(what, error) };
  }
}

/**
 * Prints reports of the same brand as one PDF, each on sheets of its own.
 * @throws PdfError, InterruptedError
 */
export async function printReports(
  documents: readonly [ReportDocument, ...ReportDocument[]],
  {
    printsAppendix,
    ...order
  }: Pick<PrintOrder, 'what' | 'pdf' | 'browser'> & { readonly printsAppendix: boolean },
  tools: PrintTools,
): Promise<void> {
  const html = `${order.pdf}.html`;
  await writeFileAtomic(html, await printedHtml(documents, printsAppendix));
  await printPdf({ ...order, html, dataAsOf: documents[0].dataAsOf }, tools);
}

/** A report's HTML. @throws an error of its files, its SQL or the limits */
export async function renderPage(
  definition: ReportDefinition,
  source: ReportSource,
  tools: LimitTools,
): Promise<string> {
  return reportHtml(await readDocument(definition, source, tools), []);
}

/** A report's document. @throws an error of its files, its SQL or the limits */
export async function readDocument(
  definition: ReportDefinition,
  source: ReportSource,
  tools: LimitTools,
): Promise<ReportDocument> {
  const what = nameOf(definition);
  try {
    const order = await sessionFor(source, null);
    return await ReportSessions.with(tools, (sessions) =>
      sessions.use(what, order, (session) => buildReport(session, definition, source.set)),
    );
  } catch (error) {
    throw reportErrorOf(what, error);
  }
}

/** Checks reports against the warehouse. One that goes beyond the limits has that for its fault. */
export function checkDefinitions(
  config: ReportConfig,
  definitions: readonly ReportDefinition[],
  tools: LimitTools,
): Promise<CheckedReport[]> {
  return ReportSessions.with(tools, async (sessions) => {
    const checked: CheckedReport[] = [];
    for (const definition of definitions)
      checked.push(await checkDefinition(config, definition, sessions));
    return checked;
  });
}

/** @param parent the folder from which files are moved to where they belong; null where none is written */
async function sessionFor(
  { config, parameters }: ReportSource,
  parent: string | null,
): Promise<SessionRequest> {
  // a file can be moved within a device
  const device = parent === null ? null : (await stat(parent)).dev;
  return {
    about: { config, parameters, device },
    parent,
    open: (options) => openReportSession(config, parameters, options),
  };
}

/** Moves a report's files from where they were made to where they were asked for, and prints its page. */
async function publish(
  definition: ReportDefinition,
  { document, files }: WrittenReport,
  own: string,
  request: ReportRequest,
  tools: LimitTools,
): Promise<Pick<ReportResult, 'files' | 'error'>> {
  const what = nameOf(definition);
  const published: string[] = [];
  const move = async (file: string): Promise<void> => {
    const path = join(request.folder, relative(own, file));
    await publishFile(file, path, { signal: tools.signal });
    published.push(path);
  };
  try {
    for (const file of files) await move(file);
    if (request.formats.includes('pdf')) await move(await writePdf(document, own, request, tools));
    return { files: published, error: null };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return { files: published, error: reportErrorOf(what, error) };
  }
}

/** Prints the page of a report. @returns the path of the PDF */
async function writePdf(
  document: ReportDocument,
  folder: string,
  { printsAppendix, browser }: PageRequest,
  { clock, signal, limits }: LimitTools,
): Promise<string> {
  const pdf = join(folder, `${document.name}.pdf`);
  const order = { what: nameOf(document), pdf, browser, printsAppendix };
  await printReports([document], order, { clock, signal, timeoutMs: limits.timeoutMs });
  return pdf;
}

type PageRequest = Pick<ReportRequest, 'formats' | 'printsAppendix' | 'browser'>;

/** Renders a document in those of the formats that have its comment. @returns the bytes by extension */
export async function renderDocument(
  document: ReportDocument,
  request: PageRequest,
  tools: LimitTools,
): Promise<ReadonlyMap<string, Buffer>> {
  const { formats, printsAppendix } = request;
  const folder = await mkdtemp(join(tmpdir(), 'postledger-'));
  const files = new Map<string, Buffer>();
  try {
    if (formats.includes('html'))
      files.set('.html', Buffer.from(await reportHtml(document, formats, printsAppendix)));
    if (formats.includes('xlsx')) {
      const path = join(folder, `${document.name}.xlsx`);
      await writeWorkbook(document, path);
      files.set('.xlsx', await readFile(path));
    }
    if (formats.includes('pdf'))
      files.set('.pdf', await readFile(await writePdf(document, folder, request, tools)));
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkDefinition(
  config: ReportConfig,
  definition: ReportDefinition,
  sessions: ReportSessions,
): Promise<CheckedReport> {
  const what = nameOf(definition);
  const order: SessionRequest = {
    about: null,
    parent: null,
    open: ({ limits }) => openCheck(config, limits),
  };
  try {
    return await sessions.use(what, order, (session) => checkReport(session, definition));
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    const { name, folder, sql } = definition;
    const { message } = reportErrorOf(what, error);
    const faults = [{ path: folder, line: null, column: null, message }];
    return { name, fallbackReason: null, queries: sql.size, sections: [], faults };
  }
}

function nameOf({ name }: Pick<ReportDefinition, 'name'>): string {
  return `the report ${name}`;
}
