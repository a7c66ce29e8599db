import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const axe = createRequire(import.meta.url).resolve('axe-core');

export interface View {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  readonly forcedColors?: 'active';
}

export interface OpenPage {
  readonly page: Page;
  /** The browser's messages: refused styles and scripts, errors, requests that left the page. */
  readonly complaints: string[];
}

let launched: Promise<Browser> | undefined;

/** The browser of this worker, which ends with it. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  return launched;
}

/** Opens a file as a reader would, until the test is over. */
export async function openFile(browser: Browser, file: string, view: View = {}): Promise<OpenPage> {
  const { width = 1280, ...context } = view;
  const page = await browser.newPage({ viewport: { width, height: 900 }, ...context });
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const address = pathToFileURL(file).href;
  page.on('request', (request) => {
    if (request.url() !== address) complaints.push(request.url());
  });
  await page.goto(address);
  return { page, complaints };
}

/** As many rows of a table as axe looks at. */
const mostRows = 12;

/**
 * What axe finds in a page, each with its rule and its markup. axe-core comes as a script of the page, so
 * the page's own policy must stand aside for it; where scripts are off, the page's own is taken out.
 */
export async function findViolations(
  browser: Browser,
  html: string,
  view: View,
): Promise<string[]> {
  const page = await browser.newPage({
    viewport: { width: view.width ?? 1280, height: 900 },
    colorScheme: view.colorScheme ?? 'light',
    bypassCSP: true,
  });
  onTestFinished(() => page.close());
  const isScripted = view.javaScriptEnabled ?? true;
  await page.setContent(isScripted ? html : html.replace(/<script>[^]*?<\/script>/u, ''));
  await page.addScriptTag({ path: axe });
  // the rows below are made as those above them, and take most of the time
  await page.evaluate(
    `document.querySelectorAll('tbody').forEach((body) => [...body.rows].slice(${mostRows}).forEach((row) => row.remove()))`,
  );
  const found: unknown = await page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))',
  );
  return found as string[];
}

/** The tables that are wider than a sheet of A4 within its margins, by their names. */
export async function tablesBeyondPaper(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 695, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.ariaLabel)`,
  );
}
