import { readFile } from 'node:fs/promises';
import { extname, relative, sep } from 'node:path';
import type { JobReport } from '../config/config.ts';
import type { DefinedDelivery } from '../config/defined-deliveries.ts';
import type { OutboxFile } from '../deliver/outbox.ts';
import type { CommentedFormat } from '../output/report-output.ts';
import type { ReportDocument } from '../report/report-document.ts';
import type { Slot } from '../schedule/slot.ts';
import { shortestName } from '../report/period.ts';
import { commentPath, readCommentFile } from './markdown-file.ts';
import { fillPlaceholders, type Places } from './placeholders.ts';

/** A report that was rendered. */
export interface MadeReport {
  readonly document: ReportDocument;
  /** The time that it was made for. */
  readonly slot: Slot;
  /** True if the last day of its period was over by then, in the zone of jobs.yaml. */
  readonly isOver: boolean;
  /** The version of what it was made from (`sourceVersion`), or an earlier one; null: unknown. */
  readonly warehouse: string | null;
  /** True for the report that comes first, as the overview does. */
  readonly leads: boolean;
  /** Absolute, like the files, which are in it. */
  readonly folder: string;
  readonly files: readonly string[];
  /** The values of the placeholders of `out`. */
  readonly places: Places;
  /** Returns the document with another comment, the same one for the same comment. */
  readonly withComment: (comment: string | null) => ReportDocument;
  /** Renders such a document, once in each format. */
  readonly renderAs: (document: ReportDocument, format: CommentedFormat) => Promise<Uint8Array>;
}

/** A file whose bytes may not be made yet. */
interface DeliveredFile extends Pick<OutboxFile, 'name'> {
  readonly read: () => Promise<Uint8Array>;
}

/** A report of a delivery, with the files that go along. */
interface DeliveredReport extends Omit<MadeReport, 'files'> {
  readonly files: readonly DeliveredFile[];
  /** The file that jobs.yaml names for its comment, whether or not it is there; null: none. */
  readonly commentFile: string | null;
  /** True if it must not be sent without a comment, and has none. */
  readonly lacksComment: boolean;
}

/** The reports of a delivery, in the order of its definition. */
export type DeliveredReports = readonly [DeliveredReport, ...DeliveredReport[]];

const commentedFormats: readonly CommentedFormat[] = ['html', 'xlsx', 'pdf'];

/**
 * Collects the reports of deliveries that carry several, which are rendered in order: all of them come with the last one,
 * and null before. The files are read at once, since a later report may go to the same folder.
 */
export function createCollector() {
  const begun = new Map<string, DeliveredReport[]>();
  return async (
    defined: DefinedDelivery,
    report: JobReport,
    made: MadeReport,
  ): Promise<DeliveredReports | null> => {
    const { definition, reports } = defined;
    if (!reports.includes(report)) return null;
    const { places } = made;
    const configured = defined.delivery.comment ?? report.comment;
    const comment = defined.delivery.comment
      ? await readCommentFile(defined.delivery.comment, places)
      : made.document.comment;
    const document = made.withComment(comment);
    const delivered = {
      ...made,
      document,
      files: await filesOf(defined, made, document),
      commentFile: configured && commentPath(configured, places),
      lacksComment: configured?.isRequired === true && comment === null,
    };
    const [first, ...more] = [...(begun.get(definition) ?? []), delivered];
    begun.set(definition, [first, ...more]);
    if (1 + more.length < reports.length) return null;
    begun.delete(definition);
    return [first, ...more];
  };
}

/** The files that go along, in the order of `attach`; a report's own file is called as `file` says. */
async function filesOf(
  defined: DefinedDelivery,
  { document: own, folder, files, renderAs }: MadeReport,
  document: ReportDocument,
): Promise<DeliveredFile[]> {
  const { attach } = defined.delivery;
  const wanted =
    attach?.flatMap((format) => files.filter((path) => extname(path) === `.${format}`)) ?? files;
  return Promise.all(
    wanted.map(async (path) => {
      const name = relative(folder, path).replaceAll(sep, '/');
      const isOwn = name === `${document.name}${extname(name)}`;
      const format = commentedFormats.find((each) => extname(name) === `.${each}`);
      const content = await readFile(path);
      const isAgain = isOwn && document !== own && format !== undefined;
      return {
        name: isOwn ? fileName(defined, document.name, document.period, extname(name)) : name,
        read: async () => (isAgain ? renderAs(document, format) : content),
      };
    }),
  );
}

/** The name of a report's own file, or of one with several reports. */
function fileName(
  { delivery: { file }, job, client }: DefinedDelivery,
  report: string,
  period: ReportDocument['period'],
  extension: string,
): string {
  if (file === null) return `${report}${extension}`;
  const { from, to } = period;
  const stem = fillPlaceholders(file, {
    client: client?.key ?? '',
    report,
    job: job.name,
    period: shortestName(period),
    from: from ?? 'all',
    to: to ?? 'all',
  });
  return `${stem.trim()}${extension}`;
}

/** The reports with the one first that leads. */
export function leadFirst(reports: DeliveredReports): DeliveredReports {
  const [first, ...more] = reports.toSorted((a, b) => Number(b.leads) - Number(a.leads));
  return first === undefined ? reports : [first, ...more];
}

type Documents = readonly [ReportDocument, ...ReportDocument[]];

/** Makes one file of several reports. */
export type JoinReports = (format: 'pdf' | 'xlsx', ...documents: Documents) => Promise<Uint8Array>;

/**
 * The files of all reports; of several with the same name, the second ends in `-2`. Several reports go along as one PDF
 * where `attach` has that format, and as one workbook behind the overview's cover.
 */
export async function allFiles(
  defined: DefinedDelivery,
  delivered: DeliveredReports,
  join: JoinReports,
): Promise<OutboxFile[]> {
  const reports = leadFirst(delivered);
  const joined: DeliveredFile[] = [];
  for (const format of defined.delivery.attach ?? []) {
    if (format === 'html' || (format === 'xlsx' && !reports[0].leads)) continue;
    const [first, ...more] = reports.flatMap(({ document, files }) =>
      files.some(({ name }) => extname(name) === `.${format}`) ? [document] : [],
    );
    if (first === undefined || more.length === 0) continue;
    const report = format === 'pdf' ? 'reports' : first.name;
    const name = fileName(defined, report, first.period, `.${format}`);
    joined.push({ name, read: () => join(format, first, ...more) });
  }
  const formats = new Set(joined.map(({ name }) => extname(name)));
  const own = reports.flatMap(({ files }) =>
    files.filter(({ name }) => !formats.has(extname(name))),
  );
  const read: OutboxFile[] = [];
  for (const file of [...joined, ...own])
    read.push({ name: file.name, content: await file.read() });
  return withUniqueNames(read);
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
