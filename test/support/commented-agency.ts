import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, writeFiles } from './cli.ts';
import { analyticsRecord, uuid } from './made-records.ts';
import { decodeQuotedPrintable } from './mail-text.ts';
import { startPlainService } from './plain-service.ts';
import { startSmtpServer } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startWebhookEndpoint } from './webhook-endpoint.ts';
import { valueCard, valueReport } from './value-report.ts';

const today = dayOf(new Date(), 'UTC');
export const period = `${addDays(today, -90)}_${addDays(today, -1)}`;

/** A German client with ten posts of 40 days, whose job mails it a report, `value` unless another is named. */
export async function commentedAgency(of = 'value') {
  const posts = Array.from({ length: 10 }, (_, index) =>
    analyticsRecord(index + 1, addDays(today, -2 - 4 * index), {
      emv: 100,
      impressionCount: 1000,
    }),
  );
  const service = await startPlainService({ analytics: new Map([[uuid(900), posts]]) });
  const smtp = await startSmtpServer();
  const endpoint = await startWebhookEndpoint();
  const folder = await temporaryFolder();
  /** @param more keys of the client's report and of its delivery */
  const set = (report: string, delivery = '') =>
    writeFiles(folder, {
      ...valueReport,
      ...valueCard,
      '.env': `KEY=plain-key\nCHAT=${endpoint.url}\n`,
      'jobs.yaml': `mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: reports@nord.example }
notify: [{ post: "\${CHAT}", as: json }]
workspaces:
  f: { base_url: "${service.url}", api_key: "\${KEY}", profiles: [{ id: ${uuid(900)}, name: Main }] }
clients:
  fjord: { name: Fjord & Co, profiles: [f/Main], to: [cmo@fjord.example], language: de, locale: de-DE, notes: [{ date: ${addDays(today, -3)}, text: "Neuer <b>TKP</b>" }] }
jobs:
  monthly:
    profiles: [f/*]
    windows: { days: 95, size_days: 100 }
    details: false
    reports:
      - { report: ${of}, for: each, period: last_90_days, formats: [html, xlsx], out: "./out/{client}", deliver: [{ mail: client, attach: [html, xlsx]${delivery} }]${report} }
`,
    });
  const file = join(folder, 'comments', 'fjord', `${period}.md`);
  const comment = async (text: string) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const run = (...args: string[]) => runCli(args, { cwd: folder });
  const chat = () =>
    endpoint.arrivals.map(({ body }) => JSON.parse(body) as { state: string; text: string });
  return { folder, file, smtp, chat, set, comment, run };
}

type Agency = Awaited<ReturnType<typeof commentedAgency>>;

export const comments = 'comment: "./comments/{client}/{period}.md"';
export const required = 'comment: { file: "./comments/{client}/{period}.md", required: true }';

/** The subject, the words and the files of a mail. */
export function mailOf({ smtp }: Agency, index: number) {
  const message = decodeQuotedPrintable(smtp.received[index]?.message ?? '').replaceAll(
    '\r\n',
    '\n',
  );
  const subject = /^Subject: (.*(?:\n .*)*)$/m.exec(message)?.[1] ?? '';
  const [text = '', html = ''] = message.split('<!doctype html>');
  return { subject, text, html: html.split('filename=')[0] ?? '', to: smtp.received[index]?.to };
}
