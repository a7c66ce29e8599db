import { relative } from 'node:path';
import type { ReportFormat } from '../config/config.ts';
import { relayError, type RelayedError } from '../core/relayed-error.ts';
import { renderTerminalReport } from '../render/terminal-report.ts';
import { checkReports, type CatalogCheck } from '../report/report-check.ts';
import { buildReport } from '../report/report-builder.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import type { ReportParameters } from '../report/report-parameters.ts';
import type { ReportConfig } from '../report/report-config.ts';
import { openReportSession, type ReportSession } from '../report/report-session.ts';
import type { CsvOptions } from '../report/section-export.ts';
import type { EngineLimits } from '../warehouse/engine-limits.ts';
import { reportHtml, writeReport } from './report-files.ts';

/** In a process of its own: reports whose SQL may be anybody's. */

/** What reports are made of. */
export interface ReportSource {
  readonly config: ReportConfig;
  readonly parameters: ReportParameters;
  /** The reports' own parameters, as `--set` gives them. */
  readonly set: Readonly<Record<string, string>>;
}

/** How reports are written. */
export interface ReportStyle {
  readonly formats: readonly ReportFormat[];
  readonly csv: CsvOptions;
  /** For `table`. */
  readonly terminal: { readonly width: number | null; readonly color: boolean };
}

export interface RenderOrder extends ReportSource, ReportStyle {
  readonly definitions: readonly ReportDefinition[];
  readonly engine: EngineLimits;
  /** Absolute: the only one that the reports may touch; null where no file is written. */
  readonly folder: string | null;
}

export interface WrittenReport {
  /** Relative to the folder. */
  readonly files: readonly string[];
  /** Of `table`. */
  readonly text: string;
}

/** What became of one of the reports. */
export type RenderAnswer = WrittenReport | { readonly error: RelayedError };

/** Writes reports from one session, so that they show the same load; one that fails costs the others nothing. */
export async function renderReports(order: RenderOrder): Promise<RenderAnswer[]> {
  const { config, parameters, engine: limits, folder } = order;
  const options = { limits, ...(folder !== null && { folder }) };
  const session = await openReportSession(config, parameters, options);
  try {
    const answers: RenderAnswer[] = [];
    for (const definition of order.definitions) {
      const answer = renderOne(session, definition, order);
      answers.push(await answer.catch((error: unknown) => ({ error: relayError(error) })));
    }
    return answers;
  } finally {
    session.close();
  }
}

async function renderOne(
  session: ReportSession,
  definition: ReportDefinition,
  { set, formats, folder, csv, terminal }: RenderOrder,
): Promise<RenderAnswer> {
  const job = { session, definition, set, formats, folder: folder ?? '', csv };
  const { document, files } = await writeReport(job);
  return {
    files: files.map((file) => relative(folder ?? '', file)),
    text: formats.includes('table') ? renderTerminalReport(document, terminal) : '',
  };
}

export interface PageOrder extends ReportSource {
  readonly definition: ReportDefinition;
  readonly engine: EngineLimits;
}

/** A report's HTML. */
export async function renderPage(order: PageOrder): Promise<string> {
  const { config, parameters, definition, set, engine: limits } = order;
  const session = await openReportSession(config, parameters, { limits });
  try {
    return await reportHtml(await buildReport(session, definition, set), []);
  } finally {
    session.close();
  }
}

export interface CheckOrder {
  readonly config: ReportConfig;
  readonly definitions: readonly ReportDefinition[];
  readonly engine: EngineLimits;
}

export async function checkAll(order: CheckOrder): Promise<CatalogCheck> {
  return checkReports(order.config, order.definitions, order.engine);
}
