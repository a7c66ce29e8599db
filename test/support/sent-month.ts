import { openWarehouse } from '../../src/warehouse/warehouse.ts';
import { join } from 'node:path';
import { addDays } from '../../src/core/calendar.ts';
import { register as registerCatchUp } from '../../src/commands/catch-up.ts';
import { register as registerDeliver } from '../../src/commands/deliver.ts';
import { register as registerLoad } from '../../src/commands/load.ts';
import { register as registerPlan } from '../../src/commands/plan.ts';
import { register as registerRebuild } from '../../src/commands/rebuild.ts';
import { register as registerRun } from '../../src/commands/run.ts';
import { register as registerStatus } from '../../src/commands/status.ts';
import { writeFiles } from './cli.ts';
import { decodeQuotedPrintable } from './mail-text.ts';
import { analyticsRecord, uuid } from './made-records.ts';
import { startPlainService, type CannedAnswer, type PlainService } from './plain-service.ts';
import { startSmtpServer } from './smtp-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TimedCli } from './timed-cli.ts';
import { valueReport } from './value-report.ts';

export const firstOfNovember = '2026-11-01T06:00:00Z';

/** An agency that mails October of a profile with a post on each day from 1 September on. */
export async function month({
  profile = '',
  windows = '{ start: 2026-09-01, size_days: 30, refresh_days: 30 }',
} = {}) {
  const records = Array.from({ length: 75 }, (_, index) =>
    analyticsRecord(index + 1, addDays('2026-09-01', index)),
  );
  const service = await startPlainService({ analytics: new Map([[uuid(900), records]]) });
  const smtp = await startSmtpServer();
  const folder = await temporaryFolder();
  const setProfile = (keys: string) =>
    writeFiles(folder, {
      ...valueReport,
      'jobs.yaml': `timezone: UTC
mail: { host: 127.0.0.1, port: ${smtp.port}, tls: off, from: r@nord.example }
workspaces:
  w:
    base_url: "${service.url}"
    api_key: \${KEY}
    rate_limit: { requests: 1000, per_seconds: 1 }
    concurrency: 1
    timeout_seconds: 2
    profiles: [{ id: ${uuid(900)}, name: Anna${keys} }]
clients:
  east: { name: East AG, profiles: [w/Anna], to: [east@x.example] }
jobs:
  monthly:
    schedule: "0 6 1 * *"
    profiles: [w/*]
    windows: ${windows}
    details: false
    reports: [{ report: value, for: [east], period: last_month, formats: [md], deliver: [{ mail: client }] }]
`,
    });
  await setProfile(profile);
  const cli = new TimedCli(folder, (program, invoke) => {
    for (const register of [
      registerRun,
      registerCatchUp,
      registerDeliver,
      registerStatus,
      registerPlan,
      registerRebuild,
      registerLoad,
    ])
      register(program, invoke);
  });
  const run = (line: string, at?: string) => cli.run(line.split(' '), at);
  const query = async (sql: string) => {
    const database = await openWarehouse(join(folder, 'data/postledger.duckdb'));
    try {
      return await database.queryObjects(sql);
    } finally {
      database.close();
    }
  };
  const mails = () => smtp.received.map(({ message }) => decodeQuotedPrintable(message));
  const states = async () =>
    (JSON.parse((await run('deliver list --all --json')).stdout) as { state: string }[]).map(
      ({ state }) => state,
    );
  return { folder, service, records, run, query, mails, states, setProfile };
}

/** The dates that the service was asked for, in order, and how it answered. */
export function asked({ requests }: PlainService): string[] {
  return requests.map(({ path, status }) => {
    const query = new URL(path, 'http://service').searchParams;
    return `${query.get('startDate') ?? ''}..${query.get('endDate') ?? ''} ${status}`;
  });
}

export const list = (
  records: readonly object[],
  more: Partial<CannedAnswer> = {},
): CannedAnswer => ({
  status: 200,
  body: JSON.stringify(records),
  ...more,
});

export const datesOf = ({ searchParams }: URL) => [
  searchParams.get('startDate') ?? '',
  searchParams.get('endDate') ?? '',
];

export const octoberPosts =
  "select count(*)::integer as n from post_performance where published_at::date between '2026-10-01' and '2026-10-31'";
