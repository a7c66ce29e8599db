import { join } from 'node:path';
import { register as registerCatchUp } from '../../src/commands/catch-up.ts';
import { register as registerCheck } from '../../src/commands/check.ts';
import { register as registerDeliver } from '../../src/commands/deliver.ts';
import { register as registerRun } from '../../src/commands/run.ts';
import { register as registerStatus } from '../../src/commands/status.ts';
import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { writeFiles } from './cli.ts';
import { analyticsRecord, type JsonObject, uuid } from './made-records.ts';
import { startPlainService } from './plain-service.ts';
import { startSmtpServer, type SmtpBehaviour } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TimedCli } from './timed-cli.ts';
import { valueReport, wordsReport } from './value-report.ts';

/** A job that mails October to a client in Los Angeles and to one in Berlin. */
const months = `
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

/** An agency in Berlin whose clients have a profile each. */
export async function agency({ smtp: behaviour = {}, posts = ownPosts, ...first }: Agency = {}) {
  const [east, west] = posts;
  const service = await startPlainService({
    analytics: new Map([
      [uuid(900), east],
      [uuid(901), west],
    ]),
  });
  const smtp = await startSmtpServer(behaviour);
  const folder = await temporaryFolder();
  const set = (change: Agency) => {
    const keys: Agency = { ...first, ...change };
    const { job = months, more = '', profiles, clients, name, reads } = keys;
    const {
      workspace = '',
      start = '2026-09-01',
      windows = `start: ${start}, size_days: 60`,
    } = keys;
    return writeFiles(folder, {
      'jobs.yaml': `timezone: Europe/Berlin
mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: r@nord.example }
workspaces:
  w:
    base_url: "${service.url}"
    api_key: \${KEY}
${workspace}    profiles: ${profiles ?? ownProfiles}
clients:${clients ?? ownClients}
jobs:
  ${name ?? 'monthly'}:
    profiles: [${reads ?? 'w/*'}]
    windows: { ${windows} }
    details: false${job}
${more}`,
    });
  };
  await writeFiles(folder, { ...valueReport, ...wordsReport });
  await set({});
  const cli = new TimedCli(folder, (program, invoke) => {
    const commands = [registerRun, registerCatchUp, registerDeliver, registerStatus, registerCheck];
    for (const register of commands) register(program, invoke);
  });
  const run = (line: string, at?: string) => cli.run(line.split(' '), at);
  const subjects = () =>
    smtp.received.map(({ to, message }) => `${to}: ${/^Subject: (.*)\r$/m.exec(message)?.[1]}`);
  const listed = async () =>
    JSON.parse((await run('deliver list --all --json')).stdout) as {
      id: string;
      state: string;
      recipient: string;
      from: string;
      to: string;
      reason: string | null;
    }[];
  const query = async (sql: string) => {
    const database = await openWarehouse(join(folder, 'data/postledger.duckdb'));
    try {
      return await database.queryObjects(sql);
    } finally {
      database.close();
    }
  };
  return { folder, service, smtp, cli, set, run, subjects, listed, query };
}

export const eastOctober = 'east@x.example: East AG, LinkedIn: Value, October 2026';
export const westOctober = 'west@x.example: West Inc, LinkedIn: Value, October 2026';
