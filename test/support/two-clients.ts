import { addDays, dayOf } from '../../src/core/calendar.ts';
import { runCli, writeFiles } from './cli.ts';
import { analyticsRecord, uuid } from './made-records.ts';
import { startPlainService } from './plain-service.ts';
import { startSmtpServer } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { valueReport } from './value-report.ts';

const recently = addDays(dayOf(new Date(), 'UTC'), -2);

/** Two workspaces that each have a profile Main, and a client each. @param more of the file and of the first report */
export async function twoClients(more = { top: '', report: '' }) {
  const post = (id: number, commentary: string) =>
    analyticsRecord(id, recently, { commentary, emv: id, impressionCount: 1000 });
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), [post(1, 'Words of Fjord')]],
      [uuid(901), [post(2, 'Words of Pine'), post(3, 'More of Pine')]],
    ]),
  });
  const folder = await temporaryFolder();
  const workspace = (id: number) => `
    base_url: ${service.url}
    api_key: \${KEY}
    profiles: [{ id: ${uuid(id)}, name: Main }]`;
  await writeFiles(folder, {
    ...valueReport,
    '.env': 'KEY=plain-key\n',
    'jobs.yaml': `${more.top}workspaces:
  f:${workspace(900)}
  p:${workspace(901)}
clients:
  fjord: { name: Fjord AS, profiles: [f/Main], to: [fjord@x.example] }
  pine: { name: Pine GmbH, prepared_by: Nord, profiles: [p/*], currency: EUR, timezone: Europe/Berlin, brand: { product_mark: true }, to: [a@pine.example, b@pine.example] }
jobs:
  monthly:
    profiles: [f/*, p/*]
    windows: { days: 20, size_days: 60 }
    details: false
    reports:
      - { report: value, period: all, for: each, formats: [csv, html, xlsx], out: "./out/{client}"${more.report} }
      - { report: value, period: all, for: [pine], formats: [csv], out: "./broken/{client}", set: { none: 1 } }
`,
  });
  return { folder, service, run: (...args: string[]) => runCli(args, { cwd: folder }) };
}

/** The same, with an SMTP server that each client's mail goes to. */
export async function twoMailedClients(delivery: string) {
  const server = await startSmtpServer();
  const top = `mail: { host: 127.0.0.1, port: ${server.port}, tls: off, from: "Nord <reports@nord.example>" }\n`;
  const report = `, deliver: [{ mail: client, ${delivery} }]`;
  return { server, ...(await twoClients({ top, report })) };
}
