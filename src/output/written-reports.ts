import { existsSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { Config, JobConfig, JobReport } from '../config/config.ts';
import { definedDeliveries } from '../config/defined-deliveries.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import type { Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode } from '../core/errors.ts';
import { canonicalHash } from '../core/json.ts';
import { createDocumentHead } from '../render/document-head.ts';
import type { Period } from '../report/period.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { slotOf, type Slot } from '../schedule/slot.ts';

/*
 * `data/reports` has a file for each folder and report that a job has written, named by the hash of the two. It says
 * what the files are about, for the list of reports.
 */
const writtenSchema = z.object({
  job: z.string(),
  report: z.string(),
  /** The key and the name of the client; null if it is for none. */
  client: z.object({ key: z.string(), name: z.string() }).nullable(),
  /** Absolute. */
  folder: z.string(),
  /** Relative to the folder, with slashes. */
  files: z.array(z.string()),
  title: z.string(),
  lede: z.string().nullable(),
  /** The language of the title and the lede. */
  language: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  is_incomplete: z.boolean(),
  /** The reason why it could not be rendered; null if it was. */
  error: z.string().nullable(),
  /** The time that its job was scheduled for, as in the outbox. */
  slot: z.string(),
  /** The hashes of the definitions of its deliveries. */
  definitions: z.array(z.string()),
  /** The time at which it was rendered; empty if an earlier version recorded it. */
  written_at: z.string().default(''),
});
export type ReportRecord = z.output<typeof writtenSchema>;

interface Rendered {
  readonly folder: string;
  readonly files: readonly string[];
  readonly period: Pick<Period, 'from' | 'to'>;
  readonly slot: Slot;
  /** Null if the report could not be rendered. */
  readonly document: ReportDocument | null;
  readonly error: string | null;
}

/** Records a report that was rendered. One that failed keeps the files and the words of the last time. */
export async function recordReport(
  job: JobConfig,
  entry: JobReport,
  { folder, files, period, slot, document, error }: Rendered,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): Promise<void> {
  const path = join(
    reportsFolder(config.dataDir),
    `${canonicalHash({ folder, report: entry.report })}.json`,
  );
  const earlier = document === null ? await readWritten(path) : null;
  const { client, report } = entry;
  const written: ReportRecord = {
    ...{ job: job.name, report, folder },
    client: client && { key: client.key, name: client.brand.name ?? client.key },
    files: earlier?.files ?? files.map((file) => relative(folder, file).replaceAll('\\', '/')),
    ...(earlier === null ? wordsOf(report, document) : wordsOfEarlier(earlier)),
    ...{ from: period.from, to: period.to, error },
    slot: slot.text,
    definitions: definedDeliveries(job)
      .filter(({ reports }) => reports.includes(entry))
      .map(({ definition }) => definition),
    written_at: clock.now().toISOString(),
  };
  await writeFileAtomic(path, `${JSON.stringify(written, null, 2)}\n`);
}

type Words = Pick<ReportRecord, 'title' | 'lede' | 'language' | 'is_incomplete'>;

function wordsOf(report: string, document: ReportDocument | null): Words {
  if (document === null) return { title: report, lede: null, language: 'en', is_incomplete: false };
  const { title, lede } = createDocumentHead(document);
  return {
    title,
    lede: lede.length === 0 ? null : lede.map(({ text }) => text).join(''),
    language: document.language.code,
    is_incomplete: document.headline !== null,
  };
}

function wordsOfEarlier({ title, lede, language, is_incomplete }: ReportRecord): Words {
  return { title, lede, language, is_incomplete };
}

/**
 * Lists the reports whose files are still there, with these files, and those that failed since their job was last
 * scheduled. The records of the others are removed.
 */
export async function listWritten(
  { dataDir, jobs, timezone }: Config,
  now: Date,
): Promise<ReportRecord[]> {
  const found: ReportRecord[] = [];
  for (const { path, written } of await readRecords(dataDir)) {
    const files = written?.files.filter((file) => existsSync(join(written.folder, file))) ?? [];
    const job = jobs.get(written?.job ?? '');
    const hasJustFailed = job !== undefined && written?.slot === slotOf(job, timezone, now).text;
    if (written && (files.length > 0 || (written.error !== null && hasJustFailed)))
      found.push({ ...written, files });
    else await rm(path, { force: true });
  }
  return found;
}

/**
 * Removes the files of reports that jobs have written, and their records.
 * @param before the UTC day of the first reports that stay; left out: none do
 * @returns the number of files
 */
export async function removeWritten(
  { dataDir }: Pick<Config, 'dataDir'>,
  { before = '9999-12-31', isDryRun = false }: { before?: Day; isDryRun?: boolean } = {},
): Promise<number> {
  let count = 0;
  for (const { path, written } of await readRecords(dataDir)) {
    if (written && written.written_at.slice(0, 10) >= before) continue;
    const files = written?.files.map((file) => join(written.folder, file)) ?? [];
    count += files.filter((file) => existsSync(file)).length;
    if (isDryRun) continue;
    for (const file of [...files, path]) await rm(file, { force: true });
  }
  return count;
}

/** Lists the records of all reports, also of those whose files are gone, and removes none. */
export async function listReports(dataDir: string): Promise<ReportRecord[]> {
  return (await readRecords(dataDir)).flatMap(({ written }) => written ?? []);
}

async function readRecords(dataDir: string) {
  const folder = reportsFolder(dataDir);
  const paths = (await namesIn(folder)).map((name) => join(folder, name));
  return Promise.all(paths.map(async (path) => ({ path, written: await readWritten(path) })));
}

function reportsFolder(dataDir: string): string {
  return join(dataDir, 'reports');
}

/** Returns null for a file that is missing or that another version has written. */
async function readWritten(path: string): Promise<ReportRecord | null> {
  try {
    return writtenSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
