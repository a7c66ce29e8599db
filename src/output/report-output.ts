import { join, relative } from 'node:path';
import type { ReportFormat } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { nearestFolder } from '../core/destination.ts';
import { InterruptedError, UnreachableError } from '../core/errors.ts';
import { publishFile } from '../core/private-files.ts';
import type { PrintOrder, PrintTools } from '../render/pdf.ts';
import type { Terminal } from '../render/terminal-columns.ts';
import type { PrintedFigures } from '../report/precision.ts';
import { buildReport, readPrintedFigures } from '../report/report-builder.ts';
import { checkReport, openCheck, type CheckedReport } from '../report/report-check.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { reportErrorOf } from '../report/report-errors.ts';
import type { ReportConfig, ReportParameters } from '../report/report-parameters.ts';
import { openReportSession } from '../report/report-session.ts';
import type { LimitTools } from '../warehouse/limits.ts';
import {
  readLogo,
  reportHtml,
  reportWorkbook,
  type ReportJob,
  writeReport,
  type WrittenReport,
} from './report-files.ts';
import { nameOf, ReportSessions, type SessionRequest } from './report-sessions.ts';

export interface ReportSource {
  readonly config: ReportConfig;
  readonly parameters: ReportParameters;
  /** The report's own parameters, as `--set` gives them. */
  readonly set: Readonly<Record<string, string>>;
}

export interface ReportRequest
  extends ReportSource, Omit<ReportJob, 'session' | 'definition' | 'set'> {
  /** The terminal of the format `table`. */
  readonly terminal: Terminal;
  /** Absolute path of the browser that prints PDFs; null: the first on PATH. */
  readonly browser: string | null;
}

export interface ReportResult {
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
    return await sessions.use(definition, writingSession(request), async (session, folder) => {
      const written = await writeReport({ ...request, session, definition, folder });
      const isShown = request.formats.includes('table');
      const text = isShown ? await terminalText(written.document, request.terminal) : '';
      const files = await publish(definition, written, folder, request, sessions.tools);
      return { text, document: written.document, ...files };
    });
  } catch (error) {
    // another run or machine makes the report later
    if (error instanceof InterruptedError || error instanceof UnreachableError) throw error;
    return { files: [], text: '', document: null, error: reportErrorOf(what, error) };
  }
}

async function terminalText(document: ReportDocument, terminal: Terminal): Promise<string> {
  const { renderTerminalReport } = await import('../render/terminal-report.ts');
  return renderTerminalReport(document, terminal);
}

/** The figures that decide on the decimals of a report's document, read from the session that it is written from. */
export function readReportFigures(
  definition: ReportDefinition,
  request: ReportRequest,
  sessions: ReportSessions,
): Promise<PrintedFigures[]> {
  return sessions.use(definition, writingSession(request), (session) =>
    readPrintedFigures(session, definition, request.set),
  );
}

/** A report's document. @throws an error of its files, its SQL or the limits */
export async function readDocument(
  definition: ReportDefinition,
  source: ReportSource,
  tools: LimitTools,
): Promise<ReportDocument> {
  const what = nameOf(definition);
  try {
    const order = sessionFor(source, null);
    return await ReportSessions.with(tools, (sessions) =>
      sessions.use(definition, order, (session) => buildReport(session, definition, source.set)),
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
  const open: SessionRequest['open'] = ({ limits }) => openCheck(config, limits);
  const order = { about: null, parent: null, open };
  return ReportSessions.with(tools, async (sessions) => {
    const checked: CheckedReport[] = [];
    for (const definition of definitions) {
      const { name, folder, sql } = definition;
      const check = sessions.use(definition, order, (session) => checkReport(session, definition));
      const report = await check.catch((error: unknown): CheckedReport => {
        if (error instanceof InterruptedError) throw error;
        const { message } = reportErrorOf(nameOf(definition), error);
        const faults = [{ path: folder, line: null, column: null, message }];
        return { name, fallbackReason: null, queries: sql.size, sections: [], faults };
      });
      checked.push(report);
    }
    return checked;
  });
}

function writingSession(request: ReportRequest): SessionRequest {
  const hasFiles = request.formats.some((format) => format !== 'table');
  return sessionFor(request, hasFiles ? nearestFolder(request.folder) : null);
}

/** @param parent the folder from which files are moved to where they belong; null where none is written */
function sessionFor({ config, parameters }: ReportSource, parent: string | null): SessionRequest {
  return {
    about: { config, parameters, hasFiles: parent !== null },
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
    if (request.formats.includes('pdf')) {
      const pdf = join(own, `${document.name}.pdf`);
      await writeFileAtomic(pdf, await renderFile([document], 'pdf', { ...request, what }, tools));
      await move(pdf);
    }
    return { files: published, error: null };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return { files: published, error: reportErrorOf(what, error) };
  }
}

/** A format that has the comment. */
export type CommentedFormat = 'html' | 'xlsx' | 'pdf';

export interface FileOrder extends Pick<PrintOrder, 'what' | 'browser'> {
  /** The formats in which the same report is written beside it. */
  readonly formats: readonly ReportFormat[];
}

/**
 * Renders reports of the same brand as one file, the first of which has its head; a page is of one report.
 * @throws PdfError without a browser, or when it fails
 */
export async function renderFile(
  documents: readonly [ReportDocument, ...ReportDocument[]],
  format: CommentedFormat,
  { formats, ...order }: FileOrder,
  tools: PrintTools,
): Promise<Uint8Array> {
  if (format === 'xlsx') return reportWorkbook(...documents);
  const [document] = documents;
  if (format === 'html') return Buffer.from(await reportHtml(document, formats));
  const logo = await readLogo(document.brand?.logo ?? null);
  const { renderPrint } = await import('../render/html/render-html.ts');
  const { printPdf } = await import('../render/pdf.ts');
  const html = renderPrint(documents, { logo });
  return printPdf(html, { ...order, dataAsOf: document.dataAsOf }, tools);
}
