import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, servingAt, startCli, writeFiles } from './cli.ts';
import { analyticsRecord, uuid } from './made-records.ts';
import { decodeQuotedPrintable } from './mail-text.ts';
import { startPlainService } from './plain-service.ts';
import { startSmtpServer } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { valueCard, valueReport } from './value-report.ts';
import { startWebhookEndpoint } from './webhook-endpoint.ts';

const today = dayOf(new Date(), 'UTC');
const period = `${addDays(today, -30)}_${addDays(today, -1)}`;

interface World {
  /** The keys of `review` beside url and secret. */
  readonly review?: string;
  /** Who gets the client's mail. */
  readonly to?: string;
  /** More keys of the delivery. */
  readonly delivery?: string;
  readonly secret?: string;
  readonly language?: string;
  readonly formats?: string;
  readonly more?: string;
  readonly url?: string;
}

/** An agency whose mail to a client waits for a person, in the real program. */
export async function reviewedMonth(first: World = {}) {
  const posts = Array.from({ length: 12 }, (_, index) =>
    analyticsRecord(index + 1, addDays(today, -2 - 4 * index), {
      emv: 100,
      impressionCount: 1000,
      commentary: `<script>alert(${index})</script> & </textarea><b>Words</b>`,
    }),
  );
  const service = await startPlainService({ analytics: new Map([[uuid(900), posts]]) });
  const smtp = await startSmtpServer();
  const chat = await startWebhookEndpoint();
  const folder = await temporaryFolder();
  let world = first;
  const set = (change: World = {}) => {
    world = { ...world, ...change };
    const {
      review = 'to: [anna@nord.example, ben@nord.example]',
      to = '[cmo@fjord.example, ceo@fjord.example]',
      delivery = 'attach: [html, xlsx], hold: true, comment: "./comments/{client}/{period}.md"',
      secret = 'a-secret-of-many-letters',
      language = 'language: en',
      formats = '[html, xlsx]',
      more = '',
      url = 'http://127.0.0.1:1',
    } = world;
    return writeFiles(folder, {
      ...valueReport,
      ...valueCard,
      '.env': `KEY=plain-key\nCHAT=${chat.url}\nREVIEW_SECRET=${secret}\n`,
      'jobs.yaml': `mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: reports@nord.example }
review: { url: "${url}", secret: "\${REVIEW_SECRET}", ${review} }
workspaces:
  f: { base_url: "${service.url}", api_key: "\${KEY}", profiles: [{ id: ${uuid(900)}, name: Main }] }
clients:
  fjord: { name: Fjord & <i>Co</i>, profiles: [f/Main], to: ${to}, ${language} }
jobs:
  monthly:
    profiles: [f/*]
    windows: { days: 95, size_days: 100 }
    details: false
    reports: [{ report: value, for: each, period: last_30_days, formats: ${formats} }]
    deliver: [{ mail: client, ${delivery} }]
${more}`,
    });
  };
  await set();
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  /** The links of notices, the newest last. */
  const links = (reader = 'anna@nord.example') =>
    smtp.received
      .filter(({ to }) => to === reader)
      .flatMap(
        ({ message }) => decodeQuotedPrintable(message).match(/http\S+\/review\/\S+/g) ?? [],
      );
  const mails = () => smtp.received.filter(({ to }) => to.endsWith('@fjord.example'));
  const listed = async () =>
    JSON.parse((await run('deliver', 'list', '--all', '--json')).stdout) as {
      state: string;
      recipient: string;
      history?: { did: string; who: string | null; note?: string }[];
    }[];
  const serve = async (...args: string[]) => {
    const running = startCli(['serve', '--port', '0', '--json', ...args], { cwd: folder });
    const { url } = await servingAt<{ url: string }>(running);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    return { ...running, origin: new URL(url).origin };
  };
  const comment = join(folder, 'comments', 'fjord', `${period}.md`);
  return { folder, service, smtp, chat, posts, set, run, links, mails, listed, serve, comment };
}

/** A page, with its form as a browser would send it. */
export async function openPage(link: string, origin: string) {
  const url = origin + new URL(link).pathname;
  const answer = await fetch(url);
  return { url, ...(await readPage(answer)) };
}

export async function readPage(answer: Response) {
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

/** Sends the form of a page, as a browser does. */
export function post(
  { url, version, comment }: { url: string; version: string; comment: string },
  action: string,
  change: Record<string, string> = {},
  request: (url: string, init: RequestInit) => Promise<Response> = fetch,
) {
  const form = { version, comment: comment.replaceAll('\n', '\r\n'), note: '', action, ...change };
  return request(url, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin: 'null' },
    redirect: 'manual',
  });
}
