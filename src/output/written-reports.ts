import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, realpath, rm, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Config, JobConfig, JobReport } from '../config/config.ts';
import { definedDeliveries } from '../config/defined-deliveries.ts';
import { writeFileAtomic } from '../core/atomic-file.ts';
import type { Day } from '../core/calendar.ts';
import type { Clock } from '../core/clock.ts';
import { hasErrorCode } from '../core/errors.ts';
import { namesIn } from '../core/found-files.ts';
import { canonicalHash } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { createDocumentHead } from '../render/document-head.ts';
import type { Period } from '../report/period.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { slotOf, type Slot } from '../schedule/slot.ts';

/*
 * `data/reports` has a file for each folder and report that a job has written, named by the hash of the two. It says
 * what the files are about, for the list of reports, and which files this site wrote, so that no other is removed.
 */
const writtenSchema = z.object({
  job: z.string(),
  report: z.string(),
  /** The key and the name of the client; null if it is for none. */
  client: z.object({ key: z.string(), name: z.string() }).nullable(),
  /** Relative to the folder of jobs.yaml, within which it moves with it; else absolute, as in what is read of it. */
  folder: z.string(),
  /** The id of the site that wrote it, see {@link siteOf}. */
  site: z.string(),
  /** Relative to the folder, with slashes. */
  files: z.array(z.string()),
  /** The SHA-256 of each file that was written, also in formats that are no longer asked for. */
  hashes: z.record(z.string(), z.string()),
  title: z.string(),
  lede: z.string().nullable(),
  language: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  is_incomplete: z.boolean(),
  /** True for a report on the readings themselves, which is for those who run postledger. */
  is_of_readings: z.boolean(),
  error: z.string().nullable(),
  /** The time that its job was scheduled for, as in the outbox. */
  slot: z.string(),
  /** The hashes of the definitions of its deliveries. */
  definitions: z.array(z.string()),
  /** The time at which it was rendered. */
  written_at: z.string(),
});
export type ReportRecord = z.output<typeof writtenSchema>;

interface Rendered {
  readonly folder: string;
  readonly files: readonly string[];
  readonly period: Pick<Period, 'from' | 'to'>;
  readonly slot: Slot;
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
  const { client, report } = entry;
  const storedFolder = isWithin(folder, config.folder) ? relative(config.folder, folder) : folder;
  const name = `${canonicalHash({ folder: storedFolder, report })}.json`;
  const path = join(reportsFolder(config.dataDir), name);
  const before = await readWritten(path);
  const names = files.map((file) => relative(folder, file).replaceAll('\\', '/'));
  const hashes = { ...before?.hashes };
  for (const name of names) hashes[name] = (await hashOf(join(folder, name))) ?? '';
  const written: ReportRecord = {
    job: job.name,
    report,
    folder: storedFolder,
    site: await siteOf(config),
    hashes,
    client: client && { key: client.key, name: client.brand.name ?? client.key },
    files: (document === null ? before?.files : null) ?? names,
    ...wordsOf(report, document, before),
    from: period.from,
    to: period.to,
    error,
    slot: slot.text,
    definitions: definedDeliveries(job)
      .filter(({ reports }) => reports.includes(entry))
      .map(({ definition }) => definition),
    written_at: clock.now().toISOString(),
  };
  await writeFileAtomic(path, `${JSON.stringify(written, null, 2)}\n`);
}

/** What the list says of the report, or said of it when it was last rendered. */
function wordsOf(report: string, document: ReportDocument | null, before: ReportRecord | null) {
  if (document === null) {
    const { title = report, lede = null, language = 'en' } = before ?? {};
    const { is_incomplete = false, is_of_readings = false } = before ?? {};
    return { title, lede, language, is_incomplete, is_of_readings };
  }
  const { title, lede } = createDocumentHead(document);
  return {
    title,
    lede: lede.length === 0 ? null : lede.map(({ text }) => text).join(''),
    language: document.language.code,
    is_incomplete: document.headline !== null,
    is_of_readings: document.covers === 'readings',
  };
}

/** Lists the reports whose files are still there, with these files, and those that failed since their job was last scheduled. */
export async function listWritten(config: Config, now: Date): Promise<ReportRecord[]> {
  return (await listReports(config)).flatMap((written) => {
    const files = written.files.filter((file) => existsSync(join(written.folder, file)));
    const job = config.jobs.get(written.job);
    const hasJustFailed =
      written.error !== null && job && written.slot === slotOf(job, config.timezone, now).text;
    return files.length > 0 || hasJustFailed ? [{ ...written, files }] : [];
  });
}

/**
 * Removes the files of reports that jobs of this site have written, as long as they are what was written, and their records.
 * @param before the UTC day of the first reports that stay; left out: none do
 * @returns the number of files
 */
export async function removeWritten(
  config: SiteFolders,
  log: Log,
  { before, isDryRun = false }: { before?: Day; isDryRun?: boolean } = {},
): Promise<number> {
  let count = 0;
  for (const { path, written } of await readRecords(config)) {
    const isRecent = written === null || written.written_at.slice(0, 10) >= (before ?? '');
    if (before !== undefined && isRecent) continue;
    const { folder = '', files = [], hashes = {} } = written ?? {};
    for (const name of new Set([...files, ...Object.keys(hashes)])) {
      const file = join(folder, name);
      const found = await hashOf(file);
      if (found === null) continue;
      const isOwn = found === hashes[name] && written && (await isOfSite(config, written));
      if (!isOwn) log.warn({}, `${file} is not as this site wrote it; it was not removed`);
      else if (!isDryRun) await rm(file, { force: true });
      if (isOwn) count += 1;
    }
    if (!isDryRun) await rm(path, { force: true });
  }
  return count;
}

/** Lists the records of all reports, also of those whose files are gone. */
export async function listReports(config: SiteFolders): Promise<ReportRecord[]> {
  return (await readRecords(config)).flatMap(({ written }) => written ?? []);
}

type SiteFolders = Pick<Config, 'dataDir' | 'folder'>;

/** Identifies a site: a copy of its folder is another one, and a folder that was moved the same. */
export async function siteOf({ dataDir }: Pick<Config, 'dataDir'>): Promise<string> {
  const { ino, birthtimeMs } = await stat(dataDir);
  return `${ino}-${Math.round(birthtimeMs)}`;
}

/** True if what is in the folder is this site's: it lies in the site, not behind a link, or this site wrote it. */
export async function isOfSite(
  config: SiteFolders,
  { folder, site }: Pick<ReportRecord, 'folder' | 'site'>,
): Promise<boolean> {
  return (
    site === (await siteOf(config)) ||
    isWithin(await realpath(folder), await realpath(config.folder))
  );
}

/** True for a folder, and for what is in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    return null;
  }
  return hash.digest('hex');
}

async function readRecords({ dataDir, folder: site }: SiteFolders) {
  const folder = reportsFolder(dataDir);
  const paths = (await namesIn(folder, '.json')).map((name) => join(folder, name));
  return Promise.all(
    paths.map(async (path) => {
      const written = await readWritten(path);
      return { path, written: written && { ...written, folder: resolve(site, written.folder) } };
    }),
  );
}

function reportsFolder(dataDir: string): string {
  return join(dataDir, 'reports');
}

/** Returns null for a file that is missing or that another version has written. */
async function readWritten(path: string): Promise<ReportRecord | null> {
  try {
    return writtenSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const isNone = error instanceof SyntaxError || error instanceof z.ZodError;
    if (isNone || hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
