import { silentProgress } from '../../src/core/progress.ts';
import { HeldMailPages } from '../../src/review/held-mail-pages.ts';
import { createReviewApp } from '../../src/review/review-app.ts';
import type { agency } from './agency-month.ts';
import { decodeQuotedPrintable } from './mail-text.ts';
import { post, readPage } from './reviewed-month.ts';

type Agency = Awaited<ReturnType<typeof agency>>;

/** The pages of an agency's held mails, as `serve` has them, at the time of its commands. */
export function reviewSite({ cli, smtp }: Agency) {
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
  const note = () => undefined;
  const pages = new HeldMailPages({
    clock,
    log: { error: note, warn: note, info: note, debug: note },
    progress: silentProgress,
    signal: new AbortController().signal,
    loadConfig: () => cli.loadConfig(),
    configFile: cli.configFile,
  });
  const app = createReviewApp({ pages, clock, senderOf: () => 'one address' });
  const request = async (url: string, init?: RequestInit) =>
    app.request(new URL(url, 'http://x').pathname.replace('/review', ''), init);
  const open = async (url: string) => ({ url, ...(await readPage(await request(url))) });
  const send = async (page: Parameters<typeof post>[0], action: string, fields = {}) => {
    const answer = await post(page, action, fields, request);
    await pages.close();
    return { url: page.url, ...(await readPage(answer)) };
  };
  const notices = (to: string) =>
    smtp.received
      .filter((mail) => mail.to === to)
      .map(({ message }) => decodeQuotedPrintable(message));
  /** The links that a reader was sent, the newest last. */
  const links = (to = 'anna@nord.example') =>
    notices(to).flatMap((text) => text.match(/http\S+\/review\/\S+/g) ?? []);
  return { time, open, send, links, notices };
}
