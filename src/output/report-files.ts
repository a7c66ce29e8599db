import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ReaderCopy, ReportFormat } from '../config/config.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import { errorMessage, exitCodes, PostledgerError } from '../core/errors.ts';
import { createFormatter, type Precision } from '../languages/number-format.ts';
import { type OpenReport, withReport } from '../report/open-report.ts';
import { buildDocument } from '../report/report-builder.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import type { ReportDocument, ReportSection, ReportTable } from '../report/report-document.ts';
import { sectionsAt } from '../report/report-sections.ts';
import type { ReportSession } from '../report/report-session.ts';
import { fewRows } from '../report/report-sections.ts';
import { exportCsv, exportParquet, plainCsv, type CsvOptions } from '../report/section-export.ts';
import { plainTable } from '../report/section-table.ts';
import type { Logo } from '../render/html/header.ts';
import { maxHeldRows } from '../render/html/post-folds.ts';
import { renderJson } from '../render/json.ts';
import { renderMarkdown, renderMarkdownSection } from '../render/markdown.ts';
import { maxTableRows } from '../render/xlsx/sheet-plan.ts';
import { copyToCsv, copyToParquet } from '../warehouse/query-file.ts';

/** One report, built from one session, and where it goes. */
export interface ReportJob {
  readonly session: ReportSession;
  readonly definition: ReportDefinition;
  /** The report's own parameters, as `--set` gives them. */
  readonly set: Readonly<Record<string, string>>;
  /** `table` is for a terminal and writes no file. */
  readonly formats: readonly ReportFormat[];
  readonly folder: string;
  /** What its sender wrote about it, as Markdown; by default nothing. */
  readonly comment?: string | null;
  /** True if mails have parts of the document, whatever the formats. */
  readonly isDelivered?: boolean;
  /** Guarded and without a byte order mark, unless said otherwise. */
  readonly csv?: CsvOptions;
  /** What its reader gets of it; by default all. */
  readonly copy?: ReaderCopy;
  /** The decimals that it shares with what goes along with it. */
  readonly precision?: Precision | undefined;
}

export interface WrittenReport {
  readonly document: ReportDocument;
  readonly files: readonly string[];
}

/** The most rows of a list of posts that a format takes. */
const listRows: Readonly<Record<ReportFormat, number>> = {
  csv: fewRows,
  parquet: fewRows,
  html: maxHeldRows,
  pdf: maxHeldRows,
  xlsx: maxTableRows,
  json: Infinity,
  md: Infinity,
  table: Infinity,
};

/**
 * Writes a report: `<folder>/<report>.html`, `<folder>/<report>.xlsx`, `<folder>/<report>/<section>.csv|json|parquet|md`
 * and, of its coverage, `<folder>/<report>/_coverage.csv|json|parquet|md`. Each file is written whole or not at all.
 * `pdf` is left to the caller, who prints the page.
 * @returns the document that was written, and the files' paths
 */
export async function writeReport(job: ReportJob): Promise<WrittenReport> {
  const { session, definition, set, formats } = job;
  const isOfData = (format: ReportFormat) => format === 'csv' || format === 'parquet';
  const isRead = !formats.every(isOfData);
  return withReport(session, definition, set, async (report) => {
    const built = await buildDocument(report, {
      rowPosts: formats.includes('html'),
      listRows: Math.max(fewRows, ...formats.map((format) => listRows[format])),
      keepsRows: formats.some(isOfData),
      sections: isRead || job.isDelivered === true,
      precision: job.precision,
    });
    const document = {
      ...built,
      comment: job.comment ?? null,
      ...(job.copy && { copy: job.copy }),
    };
    const files: string[] = [];
    for (const format of formats)
      files.push(...(await writeFormat(format, { ...job, report, document })));
    return { document, files };
  });
}

/** A report to write, of which the document is built. */
interface BuiltReport extends ReportJob {
  readonly report: OpenReport;
  readonly document: ReportDocument;
}

/**
 * The page of a report, with its brand's logo in it.
 * @param formats in which the same report is written beside it
 */
export async function reportHtml(
  document: ReportDocument,
  formats: readonly ReportFormat[],
): Promise<string> {
  const logo = await readLogo(document.brand?.logo ?? null);
  const { renderHtml } = await import('../render/html/render-html.ts');
  return renderHtml(document, { logo, formats });
}

/** Renders reports as one workbook, with the head of the first. */
export async function reportWorkbook(
  ...documents: readonly [ReportDocument, ...ReportDocument[]]
): Promise<Uint8Array> {
  const { renderWorkbook } = await import('../render/xlsx/workbook.ts');
  return renderWorkbook(...documents);
}

async function writeFormat(format: ReportFormat, built: BuiltReport): Promise<string[]> {
  const { folder, definition, document, formats } = built;
  if (format === 'pdf' || format === 'table') return [];
  if (format !== 'html' && format !== 'xlsx') return writeSections(format, built);
  const path = join(folder, `${definition.name}.${format}`);
  const content =
    format === 'html' ? await reportHtml(document, formats) : await reportWorkbook(document);
  await writeFileAtomic(path, content);
  return [path];
}

type SectionFormat = Exclude<ReportFormat, 'html' | 'xlsx' | 'pdf' | 'table'>;

/** A file for each section, and one for the coverage, a sentence a row. */
async function writeSections(format: SectionFormat, built: BuiltReport): Promise<string[]> {
  const { folder, report, session, document } = built;
  const files: string[] = [];
  const sections = sectionsAt(report.definition.sections, session);
  for (const name of [...sections.map((section) => section.name), null]) {
    const path = join(folder, document.name, `${name ?? '_coverage'}.${format}`);
    await writeSection[format](name, path, built);
    files.push(path);
  }
  return files;
}

const coverageSql = 'select unnest($coverage::varchar[]) as coverage';

/** Null is the section of the coverage. */
const writeSection: Record<
  SectionFormat,
  (section: string | null, path: string, built: BuiltReport) => Promise<unknown>
> = {
  csv: (section, path, { report, document, csv = plainCsv }) => {
    if (section !== null) return exportCsv(report, section, path, csv);
    const options = { guard: !csv.raw, bom: csv.bom, params: { coverage: coverageOf(document) } };
    return copyToCsv(report.database, coverageSql, path, options);
  },
  parquet: (section, path, { report, document }) =>
    section === null
      ? copyToParquet(report.database, coverageSql, path, { coverage: coverageOf(document) })
      : exportParquet(report, section, path),
  json: (section, path, { document }) =>
    writeFileAtomic(path, renderJson(sectionOf(document, section) ?? coverageTable(document))),
  md: (section, path, { document }) => {
    const own = sectionOf(document, section);
    const text = own
      ? renderMarkdownSection(own, document)
      : renderMarkdown(coverageTable(document), document);
    return writeFileAtomic(path, text);
  },
};

function sectionOf({ sections }: ReportDocument, wanted: string | null): ReportSection | null {
  const section = sections.find(({ name }) => name === wanted) ?? null;
  if (section === null && wanted !== null)
    throw new RangeError(`the document has no section ${wanted}`);
  return section;
}

function coverageOf(document: ReportDocument): string[] {
  const { headline, beginning, selection, filters, coverage, caveats } = document;
  const { say } = createFormatter(document);
  const complete =
    beginning === undefined ? [] : [say('Complete {beginning:text}.', { beginning })];
  const first = headline === null ? complete : [headline];
  return [...first, ...selection, ...filters, ...coverage, ...caveats];
}

function coverageTable(document: ReportDocument): ReportTable {
  const columns = [{ name: 'coverage', type: 'VARCHAR' }];
  return plainTable({ columns, rows: coverageOf(document).map((sentence) => [sentence]) });
}

const imageTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** Matches what the files of these types begin with, as Latin-1; an SVG may have comments before its element. */
const imageContent = /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP)|<svg[\s>]/;

class LogoError extends PostledgerError {
  readonly code = 'LOGO';
  readonly recovery = 'fix-input';
  override readonly exitCode = exitCodes.usage;
}

/** @throws LogoError if the file cannot be read, or is no picture */
export async function readLogo(path: string | null): Promise<Logo | null> {
  if (path === null) return null;
  const mime = imageTypes[extname(path).toLowerCase()];
  if (mime === undefined) {
    throw new LogoError(
      `brand.logo ${path}: give an image as ${Object.keys(imageTypes).join(', ')}`,
    );
  }
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new LogoError(`brand.logo ${path} cannot be read (${errorMessage(error)})`, {
      cause: error,
    });
  });
  if (imageContent.test(bytes.toString('latin1'))) return { mime, bytes };
  throw new LogoError(`brand.logo ${path} is no picture; name an image file, or remove the key`);
}
