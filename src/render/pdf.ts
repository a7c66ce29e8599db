import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { errorMessage, hasErrorCode, PostledgerError } from '../core/errors.ts';
import { withPrivateFolder } from '../core/private-files.ts';

export class PdfError extends PostledgerError {
  readonly code = 'PDF';
  readonly recovery = 'fix-input';
}

export interface PrintOrder {
  /** The name of the printed document, for messages: `the report emv`. */
  readonly what: string;
  /** `pdf.browser` of jobs.yaml; null for the first browser in PATH. */
  readonly browser: string | null;
  /** The dates of the PDF, so that equal pages give equal bytes; null when unknown. */
  readonly dataAsOf: string | null;
}

export interface PrintTools {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly limits: { readonly timeoutMs: number };
}

/**
 * Prints a page with a headless Chromium, tagged and with an outline. The browser has a temporary profile, no network
 * and none of the secrets of this process; the signal and the time limit kill it.
 * @param html a page that loads nothing
 * @throws PdfError without a browser, or when it fails or takes too long
 * @throws InterruptedError
 */
export async function printPdf(
  html: string,
  { what, browser: setting, dataAsOf }: PrintOrder,
  tools: PrintTools,
): Promise<Uint8Array> {
  const browser = await findBrowser(setting);
  return withPrivateFolder(tmpdir(), async (folder) => {
    await writeFile(join(folder, pageName), html);
    await runBrowser(browser, folder, what, tools);
    const bytes = await readFile(join(folder, pdfName)).catch((error: unknown) => {
      if (!hasErrorCode(error, 'ENOENT')) throw error;
      throw new PdfError(`${what}: ${browser} printed nothing`, { cause: error });
    });
    return normalized(bytes, dataAsOf);
  });
}

/** The files in the private folder of the browser. */
const [pageName, pdfName] = ['page.html', 'page.pdf'];

const browserNames = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * The path of the browser that prints PDFs.
 * @param setting `pdf.browser` of jobs.yaml
 * @throws PdfError when there is none
 */
async function findBrowser(setting: string | null): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = browserNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const path of setting === null ? candidates : [setting]) {
    const found = access(path, constants.X_OK);
    if (await found.then(() => true).catch(() => false)) return path;
  }
  const missing =
    setting === null
      ? `there is no ${browserNames.join(', ')} on PATH`
      : `pdf.browser ${setting} is no program`;
  throw new PdfError(
    `PDF needs Chromium, and ${missing}; install Debian's package chromium, or name a browser as pdf.browser in jobs.yaml`,
  );
}

/** Finds what this machine lacks for PDFs. The machine that runs the jobs may be another one. */
export async function browserDoubts({ jobs, pdf }: Config): Promise<string[]> {
  const reports = [...jobs.values()].flatMap((job) => job.reports);
  if (!reports.some(({ formats }) => formats.includes('pdf'))) return [];
  const root = 'this is root, for whom Chromium has no sandbox; print PDFs as another user';
  const emoji =
    "no font on this machine has emoji, which PDFs then show as boxes; install Debian's package fonts-noto-color-emoji";
  try {
    await findBrowser(pdf.browser);
    return [
      ...(process.getuid?.() === 0 ? [root] : []),
      ...((await hasEmojiFont()) ? [] : [emoji]),
    ];
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return [`${error.message}; as it is now, reports come without their PDF`];
  }
}

/** False if fontconfig knows no font with emoji such as the rocket, which posts have; true also where it is not installed. */
async function hasEmojiFont(): Promise<boolean> {
  const listed = promisify(execFile)('fc-list', [':charset=1f680', 'family']);
  return listed.then(({ stdout }) => stdout.trim() !== '').catch(() => true);
}

async function runBrowser(
  browser: string,
  folder: string,
  what: string,
  { clock, signal, limits: { timeoutMs } }: PrintTools,
): Promise<void> {
  const over = new AbortController();
  // The browser has its own process group, so that its helpers end with it.
  const child = spawn(browser, argumentsOf(folder), {
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', TZ: 'UTC', HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const late = clock.sleep(timeoutMs, AbortSignal.any([signal, over.signal]));
  try {
    const ending = await Promise.race([ended, late]);
    if (!ending) throw failure(what, browser, `stopped after ${timeoutMs / 1000} s`, words);
    const [code, killedBy] = ending;
    if (code !== 0) throw failure(what, browser, `exit ${code ?? killedBy}`, words);
  } catch (error) {
    if (error instanceof PostledgerError) throw error;
    throw new PdfError(`${what}: ${browser} could not start (${errorMessage(error)})`, {
      cause: error,
    });
  } finally {
    over.abort();
    if (child.pid !== undefined) killGroup(child.pid);
    await Promise.allSettled([ended, late]);
  }
}

function argumentsOf(folder: string): string[] {
  return [
    '--headless',
    // Chromium refuses to run as root with its sandbox.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-extensions',
    '--disable-background-networking',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--no-first-run',
    `--user-data-dir=${folder}`,
    '--no-pdf-header-footer',
    '--generate-pdf-document-outline',
    `--print-to-pdf=${join(folder, pdfName)}`,
    pathToFileURL(join(folder, pageName)).href,
  ];
}

function failure(what: string, browser: string, how: string, words: readonly string[]): PdfError {
  const last = words.join('').trim().split('\n').at(-1) ?? '';
  return new PdfError(`${what}: ${browser} failed (${how}${last === '' ? '' : `: ${last}`})`);
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}

/**
 * Makes two prints of one page equal without moving any offset: the time of printing becomes that of the data, and the
 * numbers that the browser gave to elements become their rank, with the same number of digits.
 */
function normalized(pdf: Buffer, dataAsOf: string | null): Buffer {
  const digits = new Date(dataAsOf ?? 0).toISOString().replaceAll(/\D/gu, '').slice(0, 14);
  const text = pdf.toString('latin1');
  const ids = [...new Set(text.match(elementId))].sort();
  const ranks = new Map(ids.map((id, rank) => [id, String(rank).padStart(id.length, '0')]));
  const same = text
    .replaceAll(/(?<=\/(?:CreationDate|ModDate) \(D:)\d{14}\+00'00'/gu, `${digits}+00'00'`)
    .replaceAll(elementId, (id) => ranks.get(id) ?? id);
  return Buffer.from(same, 'latin1');
}

/** The digits in `(node00000965)`, by which the tags of a PDF refer to each other. */
const elementId = /(?<=\(node)\d{8}(?=\))/gu;
