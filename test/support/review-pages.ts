import { addDays, dayOf } from '../../src/core/calendar.ts';
import { silentLog } from '../../src/core/log.ts';
import { silentProgress } from '../../src/core/progress.ts';
import { HeldMailPages } from '../../src/review/held-mail-pages.ts';
import { createReviewApp } from '../../src/review/review-app.ts';
import { agency, type Site } from './agency.ts';
import { servingAt, startCli } from './cli.ts';
import { analyticsRecord } from './made-records.ts';

type Page = Awaited<ReturnType<typeof readPage>> & { readonly url: string };
type Request = (path: string, init?: RequestInit) => Promise<Response>;

/** What a reader does with the pages that a function answers with. */
function readerOf({ mails }: Site, request: Request) {
  const open = async (link: string): Promise<Page> => {
    const url = new URL(link, 'http://x').pathname;
    return { url, ...(await readPage(await request(url))) };
  };
  /** Sends the form of a page, as a browser does. */
  const send = async ({ url, version, comment }: Page, action: string, fields = {}) => {
    const text = comment.replaceAll('\n', '\r\n');
    const answer = await request(url, {
      method: 'POST',
      body: new URLSearchParams({ version, comment: text, note: '', action, ...fields }),
      headers: { origin: 'null' },
      redirect: 'manual',
    });
    return { url, ...(await readPage(answer)) };
  };
  /** The links that a reader was sent, the newest last. */
  const links = (to = 'anna@nord.example') =>
    mails(to).flatMap((text) => text.match(/http\S+\/review\/\S+/g) ?? []);
  return { request, open, send, links };
}

async function readPage(answer: Response) {
  const html = await answer.text();
  const unescape = (text: string) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
  const [, version = ''] = /name="version" value="([^"]*)"/.exec(html) ?? [];
  const [, text = ''] = /<textarea[^>]*>\n?([^]*?)<\/textarea>/.exec(html) ?? [];
  return { status: answer.status, headers: answer.headers, html, version, comment: unescape(text) };
}

/** The pages of an agency's held mails at the time of its commands, in this process. */
export function reviewPages(site: Site) {
  const { cli } = site;
  const time = { isShort: false, passedMs: 0 };
  const clock = {
    now: () => cli.clock.now(),
    monotonicMs: () => cli.clock.monotonicMs() + time.passedMs,
    // the 20 seconds that a page waits for a rendering are over at once, or never
    sleep: (ms: number, signal?: AbortSignal) => {
      if (ms !== 20_000 || time.isShort) return cli.clock.sleep(ms, signal);
      return new Promise<never>(() => undefined);
    },
  };
  const pages = new HeldMailPages({
    clock,
    log: silentLog,
    progress: silentProgress,
    signal: new AbortController().signal,
    loadConfig: () => cli.loadConfig(),
    configFile: cli.configFile,
  });
  const app = createReviewApp({ pages, clock, senderOf: () => 'one address' });
  const reader = readerOf(site, async (path, init) => {
    const answer = await app.request(path.replace('/review', ''), init);
    if (init) await pages.close();
    return answer;
  });
  return { time, ...reader };
}

/** The same in the real program. */
export async function servedPages(site: Site) {
  const running = startCli(['serve', '--port', '0', '--json'], { cwd: site.folder });
  const { url } = await servingAt<{ url: string }>(running);
  const { origin } = new URL(url);
  return { ...running, origin, ...readerOf(site, (path, init) => fetch(origin + path, init)) };
}

const today = dayOf(new Date(), 'Europe/Berlin');

/** The comment on the mail that waits. */
export const commentFile = `comments/fjord/${addDays(today, -30)}_${addDays(today, -1)}.md`;

/** An agency whose mail to a client waits for a person and has a comment, in the days until today. */
export async function mailForReview({
  mail = 'attach: [html, xlsx], hold: true',
  isRequired = false,
  formats = 'html, xlsx',
  language = 'en',
} = {}) {
  const posts = Array.from({ length: 12 }, (_, index) =>
    analyticsRecord(index + 1, addDays(today, -2 - 4 * index), {
      emv: 100,
      commentary: `<script>alert(${index})</script> & </textarea><b>Words</b>`,
    }),
  );
  const comment = `comment: { file: "./comments/{client}/{period}.md", required: ${isRequired} }`;
  const site = await agency({
    posts: [posts, []],
    clients: `
  fjord: { name: Fjord & <i>Co</i>, profiles: [w/East], to: [cmo@fjord.example, ceo@fjord.example], language: ${language} }`,
    reads: 'w/East',
    windows: 'days: 95, size_days: 100',
    job: `
    reports: [{ report: value, for: each, period: last_30_days, formats: [${formats}] }]
    deliver: [{ mail: client, ${mail}, ${comment} }]`,
    more: 'review: { url: "http://127.0.0.1:1", secret: "${REVIEW_SECRET}", to: [anna@nord.example, ben@nord.example] }\n',
  });
  return { ...site, posts };
}
