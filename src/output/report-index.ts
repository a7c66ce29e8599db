import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { problemText } from '../core/machine-problem.ts';
import { readLanguage } from '../languages/phrases.ts';
import { removeLeftFolders, writeOutput } from '../core/private-files.ts';
import { destinationOf, type Delivery } from '../deliver/delivery.ts';
import { readAllDeliveries } from '../deliver/outbox.ts';
import type { IndexedReport, IndexedState } from '../render/html/report-index.ts';
import type { RunTools } from '../config/run-tools.ts';
import { openProblems } from '../status/open-problems.ts';
import { isOfSite, isWithin, listWritten, siteOf, type ReportRecord } from './written-reports.ts';

type IndexTools = Pick<RunTools, 'config' | 'clock' | 'log'>;

/**
 * Writes `index.html` into each folder that the `out` of reports share before their first placeholder: the list of all
 * reports that are in it, for those who run postledger. If it cannot be written, that is logged.
 */
export async function writeReportIndexes(tools: IndexTools): Promise<void> {
  await writeIndexes(tools).catch((error: unknown) => {
    tools.log.warn({}, `the list of reports was not written: ${problemText(error)}`);
  });
}

async function writeIndexes(tools: IndexTools): Promise<void> {
  const { config, clock } = tools;
  await removeLeftovers(config);
  const written = await listWritten(config, clock.now());
  const deliveries = await readAllDeliveries(config.dataDir);
  for (const folder of indexFolders(config)) {
    const reports = written.filter((report) => isWithin(report.folder, folder));
    if (!existsSync(folder)) continue;
    const indexed = reports.map((report) => ({
      ...report,
      files: linksOf(report, relative(folder, report.folder)),
      deliveries: lastDeliveries(report, deliveries),
    }));
    await writeIndex(folder, indexed, openProblems({ deliveries }).length, tools);
  }
}

/** Removes what killed runs left where reports are written, also in folders of an earlier period. */
async function removeLeftovers({ folder, jobs }: Config): Promise<void> {
  await removeLeftFolders(folder);
  const outs = [...jobs.values()].flatMap(({ reports }) => reports.map(({ out }) => out));
  for (const out of new Set(outs)) {
    const start = sharedFolder(out);
    await removeLeftFolders(start, out.slice(start.length).split(/[\\/]/).filter(Boolean).length);
  }
}

/** Returns the folder before the first placeholder. */
function sharedFolder(out: string): string {
  const [start = ''] = out.split('{', 1);
  return start === out ? out : dirname(`${start}.`);
}

/** The folders that the reports of an `out` share, without those that lie in another one. */
function indexFolders({ jobs }: Config): string[] {
  const folders = [...jobs.values()].flatMap(({ reports }) =>
    reports.map(({ out }) => sharedFolder(out)),
  );
  return [...new Set(folders)].filter(
    (folder, _, all) => !all.some((other) => other !== folder && isWithin(folder, other)),
  );
}

/** Returns false for a page that is in the place of the list, and that this site did not write. */
async function isOwnIndex(page: string, folder: string, config: Config): Promise<boolean> {
  const { siteOfIndex } = await import('../render/html/report-index.ts');
  const site = siteOfIndex(page);
  return site !== null && isOfSite(config, { folder, site });
}

/** Lists the lists that are above these folders. */
export function listReportIndexes(config: Config, folders: readonly string[]): string[] {
  return indexFolders(config)
    .filter((start) => folders.some((folder) => isWithin(folder, start)))
    .map((start) => join(start, 'index.html'))
    .filter((path) => existsSync(path));
}

async function writeIndex(
  folder: string,
  reports: readonly IndexedReport[],
  waiting: number,
  { config, clock, log }: IndexTools,
): Promise<void> {
  const { renderReportIndex } = await import('../render/html/report-index.ts');
  const path = join(folder, 'index.html');
  const present = await readFile(path, 'utf8').catch(() => null);
  const isForeign = present !== null && !(await isOwnIndex(present, folder, config));
  if (reports.length === 0 && !isForeign) await rm(path, { force: true });
  if (reports.length === 0) return;
  if (isForeign) {
    log.warn(
      {},
      `${path} is not a list of reports of this site; move it away, so that the list can be written`,
    );
    return;
  }
  const language = await readLanguage(config.language);
  const { locale, currency, timezone, brand } = config;
  const site = await siteOf(config);
  const options = { locale, currency, timezone, language, brand, site, waiting, now: clock.now() };
  const page = renderReportIndex(reports, options);
  await writeOutput(path, (draft) => writeFile(draft, page));
}

/** The formats in which people read come first. */
const firstFormats = ['html', 'pdf', 'xlsx'];

/** A link for each format: to its file, or to the folder of its files. */
function linksOf({ files }: ReportRecord, folder: string): IndexedReport['files'] {
  const formats = [...new Set(files.map((file) => extname(file).slice(1)))];
  const others = formats.filter((format) => !firstFormats.includes(format)).sort();
  return [...firstFormats.filter((format) => formats.includes(format)), ...others].map((format) => {
    const [first = '', ...more] = files.filter((file) => extname(file) === `.${format}`);
    const target = more.length === 0 ? first : `${dirname(first)}/`;
    const parts = [...folder.split(sep), ...target.split('/')].map(encodeURIComponent);
    return { format, href: parts.join('/').replace(/^\//, '') };
  });
}

/** The last delivery of the report to each recipient, in the order of their names. */
function lastDeliveries(
  { report, from, to, slot, definitions }: ReportRecord,
  deliveries: readonly Delivery[],
): IndexedReport['deliveries'] {
  // over open periods, what was sent at another time had other figures
  const isOpen = from === null || to === null;
  const own = deliveries.filter(
    ({ record }) =>
      definitions.includes(record.definition) &&
      record.reports.some(
        (sent) => sent.report === report && sent.from === from && sent.to === to,
      ) &&
      (!isOpen || record.slot === slot),
  );
  const last = new Map(own.map((delivery) => [destinationOf(delivery.record.target), delivery]));
  return [...last]
    .map(([recipient, delivery]) => ({ state: stateOf(delivery), to: recipient }))
    .sort((a, b) => (a.to < b.to ? -1 : 1));
}

function stateOf({ status: { state, waits_for: wait } }: Delivery): IndexedState {
  if (state === 'held') return wait?.kind ?? 'approval';
  return state === 'sending' ? 'queued' : state;
}
