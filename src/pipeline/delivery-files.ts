import { extname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DefinedDelivery } from '../config/defined-deliveries.ts';
import type { OutboxFile } from '../deliver/outbox.ts';
import type { CommentedFormat } from '../output/report-output.ts';
import { shortestName } from '../report/period.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { defaultLimits } from '../warehouse/limits.ts';
import type { FinishedReport, JobReports } from './job-reports.ts';
import { fillPlaceholders } from './placeholders.ts';

/** A report of a delivery. */
export interface DeliveredReport {
  readonly finished: FinishedReport;
  /** Its document, with the comment of the delivery if that has one. */
  readonly document: ReportDocument;
  /** The file that jobs.yaml names for its comment, whether or not it is there; null: none. */
  readonly commentFile: string | null;
  /** True if it must not be sent without a comment. */
  readonly needsComment: boolean;
}

export type DeliveredReports = readonly [DeliveredReport, ...DeliveredReport[]];

const commentedFormats: readonly CommentedFormat[] = ['html', 'xlsx', 'pdf'];

/**
 * The files of all reports of a delivery; of several with the same name, the second ends in `-2`. Several reports go
 * along as one PDF where `attach` has that format, and as one workbook behind the overview's cover.
 * @param delivered the reports with the one first that leads
 */
export async function deliveryFiles(
  defined: DefinedDelivery,
  delivered: DeliveredReports,
  reports: JobReports,
): Promise<OutboxFile[]> {
  const files: OutboxFile[] = [];
  for (const format of defined.delivery.attach ?? []) {
    if (format === 'html' || (format === 'xlsx' && !delivered[0].finished.leads)) continue;
    const [first, ...more] = delivered.filter(
      ({ finished }) => carriedFiles(finished, [format]).length > 0,
    );
    if (first === undefined || more.length === 0) continue;
    const named = { ...first.document, name: 'reports', selection: [] };
    const name = fileName(defined, named, `.${format}`);
    files.push({ name, content: await renderOnce(format, [first, ...more], reports) });
  }
  const joined = new Set(files.map(({ name }) => extname(name)));
  for (const report of delivered)
    for (const file of carriedFiles(report.finished, defined.delivery.attach))
      if (!joined.has(extname(file.name)))
        files.push(await deliveryFile(defined, report, file, reports));
  return withUniqueNames(files);
}

/** @param formats in their order; null: all files */
function carriedFiles(
  { files }: FinishedReport,
  formats: readonly string[] | null,
): readonly OutboxFile[] {
  if (formats === null) return files;
  return formats.flatMap((format) => files.filter(({ name }) => extname(name) === `.${format}`));
}

/** A report's file as the delivery has it: its page or workbook is called as `file` says, and has the delivery's comment. */
async function deliveryFile(
  defined: DefinedDelivery,
  report: DeliveredReport,
  file: OutboxFile,
  reports: JobReports,
): Promise<OutboxFile> {
  const { document, finished } = report;
  const extension = extname(file.name);
  if (file.name !== `${document.name}${extension}`) return file;
  const name = fileName(defined, document, extension);
  const format = commentedFormats.find((each) => extension === `.${each}`);
  const isAsWritten =
    format === undefined ||
    (document.comment === finished.document.comment &&
      isDeepStrictEqual(document.copy, finished.document.copy));
  return {
    name,
    content: isAsWritten ? file.content : await renderOnce(format, [report], reports),
  };
}

/** Renders reports as one file, once for all recipients who get the same ones with the same comments. */
async function renderOnce(
  format: CommentedFormat,
  delivered: DeliveredReports,
  { source: { job, tools }, sharedFiles }: JobReports,
): Promise<Uint8Array> {
  const key = JSON.stringify([
    format,
    delivered.map(({ finished: { entry }, document }) => [
      job.reports.indexOf(entry),
      document.comment,
      document.copy,
    ]),
  ]);
  const known = sharedFiles.get(key);
  if (known) return known;
  const { renderFile } = await import('../output/report-output.ts');
  const [{ document: first, finished }, ...more] = delivered;
  // a comment on all of them is read once
  const others = more.map(({ document }) =>
    document.comment === first.comment ? { ...document, comment: null } : document,
  );
  const isJoint = others.length > 0;
  const order = {
    what: isJoint ? 'the reports together' : `the report ${first.name}`,
    browser: tools.config.pdf.browser,
    formats: isJoint ? [] : finished.entry.formats,
  };
  const limits = { timeoutMs: defaultLimits.timeoutMs * delivered.length };
  const content = await renderFile([first, ...others], format, order, { ...tools, limits });
  sharedFiles.set(key, content);
  return content;
}

/** The longest part of a file's name that says which posts are in it, in characters. */
const maxSelection = 60;

/** The name of the file of a report, or of several. */
function fileName(
  { delivery: { file }, job, client }: DefinedDelivery,
  { name: report, period, selection }: Pick<ReportDocument, 'name' | 'period' | 'selection'>,
  extension: string,
): string {
  if (file === null) return `${report}${extension}`;
  const { from, to } = period;
  const words = selection.join('-').replaceAll(/[^\p{L}\p{N}]+/gu, '-');
  const stem = fillPlaceholders(file, {
    client: client?.key ?? '',
    report,
    job: job.name,
    period: shortestName(period),
    from: from ?? 'all',
    to: to ?? 'all',
    selection: words && `-${Array.from(words).slice(0, maxSelection).join('').replace(/-$/, '')}`,
  });
  return `${stem.trim()}${extension}`;
}

function withUniqueNames(files: readonly OutboxFile[]): OutboxFile[] {
  const seen = new Map<string, number>();
  return files.map(({ name, content }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const extension = extname(name);
    const stem = name.slice(0, name.length - extension.length);
    return { name: count === 1 ? name : `${stem}-${count}${extension}`, content };
  });
}
