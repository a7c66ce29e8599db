import { join } from 'node:path';
import { register as registerCatchUp } from '../../src/commands/catch-up.ts';
import { register as registerCheck } from '../../src/commands/check.ts';
import { register as registerComment } from '../../src/commands/comment.ts';
import { register as registerDeliver } from '../../src/commands/deliver.ts';
import { register as registerMail } from '../../src/commands/mail.ts';
import { addRun } from '../../src/commands/report-run.ts';
import { register as registerRun } from '../../src/commands/run.ts';
import { register as registerStatus } from '../../src/commands/status.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { writeFiles } from './cli.ts';
import { analyticsRecord, type JsonObject, uuid } from './made-records.ts';
import { decodeQuotedPrintable } from './mail-text.ts';
import { startPlainService } from './plain-service.ts';
import { startSmtpServer, type SmtpBehaviour } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TimedCli } from './timed-cli.ts';
import { valueCard, valueReport, wordsReport } from './value-report.ts';
import { startWebhookEndpoint } from './webhook-endpoint.ts';

/** A job that mails October to a client in Los Angeles and to one in Berlin. */
export const months = `
    schedule: "0 7 1 * *"
    reports: [{ report: value, for: [west, east], period: last_month, formats: [md], deliver: [{ mail: client }] }]`;

/** The times of the tests are those of Berlin: 07:00 on 1 November is 06:00 in UTC. */
export const october = '2026-11-01T06:00:00.200Z';

interface Agency {
  /** The keys of the job `monthly`, from a line of its own on. */
  readonly job?: string;
  readonly more?: string;
  readonly smtp?: SmtpBehaviour;
  /** The profiles of the workspace `w`, as YAML. */
  readonly profiles?: string;
  /** The clients, as YAML. */
  readonly clients?: string;
  /** More keys of the workspace, each on a line that ends. */
  readonly workspace?: string;
  /** The first day that the job reads. */
  readonly start?: string;
  /** The keys of the job's date ranges. */
  readonly windows?: string;
  /** The key of the job. */
  readonly name?: string;
  /** The profiles that the job reads. */
  readonly reads?: string;
  /** What the job reads of a post beside its figures. */
  readonly details?: string;
  /** More keys of `mail`, each behind a comma. */
  readonly mail?: string;
  /** The secret of the links to held mails. */
  readonly secret?: string;
  /** The posts of the profiles East and West. */
  readonly posts?: readonly [east: JsonObject[], west: JsonObject[]];
}

const ownProfiles = `[{ id: ${uuid(900)}, name: East }, { id: ${uuid(901)}, name: West }]`;
const ownClients = `
  east: { name: East AG, profiles: [w/East], to: [east@x.example] }
  west: { name: West Inc, profiles: [w/West], timezone: America/Los_Angeles, to: [west@x.example] }`;

const post = (id: number, day: string) => analyticsRecord(id, day, { emv: 100 * id });
const ownPosts: NonNullable<Agency['posts']> = [
  [post(1, '2026-10-05'), post(2, '2026-11-05'), post(3, '2026-09-05')],
  [post(4, '2026-10-06'), post(5, '2026-09-06')],
];

/** The program's commands that concern a delivery. */
const registers = [
  ...[registerRun, registerCatchUp, registerDeliver, registerStatus],
  ...[registerCheck, registerComment, registerMail],
];

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly report: string;
  readonly recipient: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
  readonly waits_for: object | null;
  readonly left_out?: readonly string[];
  readonly history?: readonly { readonly did: string; readonly who: string | null }[];
}

export type Site = Awaited<ReturnType<typeof agency>>;

/** An agency in Berlin whose clients have a profile each, in a folder in which the built program can run, too. */
export async function agency({ smtp: behaviour = {}, posts = ownPosts, ...first }: Agency = {}) {
  const [east, west] = posts;
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), east],
      [uuid(901), west],
    ]),
  });
  const [smtp, chat] = [await startSmtpServer(behaviour), await startWebhookEndpoint()];
  const folder = await temporaryFolder();
  const set = (change: Agency) => {
    const keys: Agency = { ...first, ...change };
    const { job = months, more = '', profiles = ownProfiles, clients = ownClients } = keys;
    const { name = 'monthly', reads = 'w/*', details = 'false', mail = '' } = keys;
    const { start = '2026-09-01', windows = `start: ${start}, size_days: 60` } = keys;
    return writeFiles(folder, {
      '.env': `KEY=plain-key\nCHAT=${chat.url}\nREVIEW_SECRET=${keys.secret ?? 'a-secret-of-many-letters'}\n`,
      'jobs.yaml': `timezone: Europe/Berlin
mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: r@nord.example${mail} }
workspaces:
  w:
    base_url: "${service.url}"
    api_key: \${KEY}
${keys.workspace ?? ''}    profiles: ${profiles}
clients:${clients}
jobs:
  ${name}:
    profiles: [${reads}]
    windows: { ${windows} }
    details: ${details}${job}
${more}`,
    });
  };
  await writeFiles(folder, { ...valueReport, ...valueCard, ...wordsReport });
  await set({});
  const cli = new TimedCli(folder, (program, invoke) => {
    for (const register of registers) register(program, invoke);
    addRun(program.command('report'), invoke);
  });
  const run = (line: string | readonly string[], at?: string) =>
    cli.run(typeof line === 'string' ? line.split(' ') : line, at);
  const subjects = () =>
    smtp.received.map(({ to, message }) => `${to}: ${/^Subject: (.*)\r$/m.exec(message)?.[1]}`);
  /** The mails that a recipient got, or all, as text with the lines of a file. */
  const mails = (recipient?: string) =>
    smtp.received
      .filter(({ to }) => recipient === undefined || to === recipient)
      .map(({ message }) => decodeQuotedPrintable(message).replaceAll('\r\n', '\n'));
  /** The notices that arrived in the chat, where `notify` has it. */
  const notices = () =>
    chat.arrivals.map(({ body }) => JSON.parse(body) as { state: string; text: string });
  const listed = async () =>
    JSON.parse((await run('deliver list --all --json')).stdout) as Listed[];
  const query = async (sql: string) => {
    const database = await openWarehouse(join(folder, 'data/postledger.duckdb'));
    try {
      return await database.queryObjects(sql);
    } finally {
      database.close();
    }
  };
  return { folder, service, smtp, cli, set, run, subjects, mails, notices, listed, query };
}

/** The key of jobs.yaml that has notices in the chat. */
export const notifies = 'notify: [{ post: "${CHAT}", as: json }]\n';

export const eastOctober = 'east@x.example: East AG, LinkedIn: Value, October 2026';
export const westOctober = 'west@x.example: West Inc, LinkedIn: Value, October 2026';
