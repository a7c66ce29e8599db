import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ReportFormat } from '../config/config.ts';
import { sharedMode, writeFileAtomic } from '../core/atomic-file.ts';
import { errorMessage } from '../core/errors.ts';
import { buildReport } from '../report/report-builder.ts';
import type { ReportDefinition } from '../report/report-catalog.ts';
import type { ReportDocument, ReportSection } from '../report/report-document.ts';
import type { ReportSession } from '../report/report-session.ts';
import { exportCsv, exportParquet, plainCsv, type CsvOptions } from '../report/section-query.ts';
import { plainTable } from '../report/section-table.ts';
import type { Logo } from '../render/html/header.ts';
import { renderHtml } from '../render/html/render-html.ts';
import { renderJson } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { writeWorkbook } from '../render/xlsx/workbook.ts';
import { LogoError } from './logo-error.ts';

/** One report, built from one session, and where it goes. */
export interface ReportJob {
  readonly session: ReportSession;
  readonly definition: ReportDefinition;
  /** The report's own parameters, as `--set` gives them. */
  readonly set: Readonly<Record<string, string>>;
  /** `table` is for a terminal and writes no file. */
  readonly formats: readonly ReportFormat[];
  readonly folder: string;
  /** Guarded and without a byte order mark, unless said otherwise. */
  readonly csv?: CsvOptions;
  /** Whether the HTML has its appendix on paper too. */
  readonly printsAppendix?: boolean;
}

export interface WrittenFiles {
  readonly document: ReportDocument;
  readonly files: readonly string[];
  /** The page to print; null when no PDF is asked for. */
  readonly page: string | null;
}

/**
 * Writes a report: `<folder>/<report>.html`, `<folder>/<report>.xlsx`, `<folder>/<report>/<section>.csv|json|parquet|md`
 * and, of its coverage, `<folder>/<report>/_coverage.csv|json|parquet`. Each file is written whole or not at all.
 * Of `pdf` this writes the page that is to be printed, which is none of the files.
 * @returns the document that was written, and the files' paths
 */
export async function writeReport(job: ReportJob): Promise<WrittenFiles> {
  const document = await buildReport(job.session, job.definition, job.set);
  const files: string[] = [];
  for (const format of job.formats) files.push(...(await writers[format](document, job)));
  const isPrinted = job.formats.includes('pdf');
  return { document, files, page: isPrinted ? await writePage(document, job) : null };
}

async function writePage(
  document: ReportDocument,
  { folder, definition, formats, printsAppendix }: ReportJob,
): Promise<string> {
  const path = join(folder, `${definition.name}.print.html`);
  await writeFileAtomic(path, await reportHtml(document, formats, printsAppendix));
  return path;
}

/**
 * The page of a report, with its brand's logo in it.
 * @param formats in which the same report is written beside it
 */
export async function reportHtml(
  document: ReportDocument,
  formats: readonly ReportFormat[],
  printsAppendix = false,
): Promise<string> {
  const logo = await readLogo(document.brand?.logo ?? null);
  return renderHtml(document, { logo, formats, printsAppendix });
}

type Writer = (document: ReportDocument, job: ReportJob) => Promise<string[]>;

const writers: Record<ReportFormat, Writer> = {
  html: async (document, { folder, definition, formats, printsAppendix }) => {
    const path = join(folder, `${definition.name}.html`);
    const page = await reportHtml(document, formats, printsAppendix);
    await writeFileAtomic(path, page, sharedMode);
    return [path];
  },
  xlsx: async (document, { folder, definition }) => {
    const path = join(folder, `${definition.name}.xlsx`);
    await writeWorkbook(document, path);
    return [path];
  },
  csv: withCoverage(
    'csv',
    eachSection('csv', (section, path, { session, definition, set, csv }) =>
      exportCsv({ session, definition, section: section.name, set }, path, csv),
    ),
    ({ coverage }, path, { session, csv = plainCsv }) =>
      session.database.copyToCsv(coverageSql, path, {
        guard: !csv.raw,
        bom: csv.bom,
        params: { coverage },
      }),
  ),
  parquet: withCoverage(
    'parquet',
    eachSection('parquet', (section, path, { session, definition, set }) =>
      exportParquet({ session, definition, section: section.name, set }, path),
    ),
    ({ coverage }, path, { session }) =>
      session.database.copyToParquet(coverageSql, path, { coverage }),
  ),
  json: withCoverage(
    'json',
    eachSection('json', (section, path) => writeFileAtomic(path, renderJson(section), sharedMode)),
    ({ coverage }, path) => {
      const columns = [{ name: 'coverage', type: 'VARCHAR' }];
      const table = plainTable({ columns, rows: coverage.map((sentence) => [sentence]) });
      return writeFileAtomic(path, renderJson(table), sharedMode);
    },
  ),
  md: eachSection('md', (section, path, _, document) =>
    writeFileAtomic(path, renderMarkdown(section, document), sharedMode),
  ),
  pdf: () => Promise.resolve([]),
  table: () => Promise.resolve([]),
};

function eachSection(
  extension: string,
  write: (
    section: ReportSection,
    path: string,
    job: ReportJob,
    document: ReportDocument,
  ) => Promise<unknown>,
): Writer {
  return async (document, job) => {
    const files: string[] = [];
    for (const section of document.sections) {
      const path = join(job.folder, document.name, `${section.name}.${extension}`);
      await write(section, path, job, document);
      files.push(path);
    }
    return files;
  };
}

const coverageSql = 'select unnest($coverage::varchar[]) as coverage';

/** Beside sections that hold nothing but rows: what the page says of its coverage, a sentence a row. */
function withCoverage(
  extension: string,
  writeSections: Writer,
  write: (document: ReportDocument, path: string, job: ReportJob) => Promise<unknown>,
): Writer {
  return async (document, job) => {
    const files = await writeSections(document, job);
    const path = join(job.folder, document.name, `_coverage.${extension}`);
    await write(document, path, job);
    return [...files, path];
  };
}

const imageTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

async function readLogo(path: string | null): Promise<Logo | null> {
  if (path === null) return null;
  const mime = imageTypes[extname(path).toLowerCase()];
  if (mime === undefined) {
    throw new LogoError(
      `brand.logo ${path}: give an image as ${Object.keys(imageTypes).join(', ')}`,
    );
  }
  try {
    return { mime, bytes: await readFile(path) };
  } catch (error) {
    throw new LogoError(`brand.logo ${path} cannot be read (${errorMessage(error)})`, {
      cause: error,
    });
  }
}
