import { cp, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Config, LakeConfig } from '../../../src/config/config.ts';
import { Secret } from '../../../src/config/secret.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { PostledgerError } from '../../../src/core/errors.ts';
import { silentLog } from '../../../src/core/log.ts';
import { silentProgress } from '../../../src/core/progress.ts';
import { runJob } from '../../../src/pipeline.ts';
import { defaultLimits } from '../../../src/warehouse/limits.ts';
import { renderReport } from '../../../src/output/report-output.ts';
import { ReportSessions } from '../../../src/output/report-sessions.ts';
import { runAdHocQuery } from '../../../src/report/ad-hoc-query.ts';
import { builtInReports, findReports } from '../../../src/report/report-catalog.ts';
import { allPosts } from '../../../src/report/report-parameters.ts';
import { plainCsv } from '../../../src/report/section-export.ts';
import { openWarehouse } from '../../../src/warehouse/warehouse.ts';
import { reportConfig } from '../../report/support/report-warehouse.ts';
import { extensions, LakeServers, passwords, type TestLake } from '../../support/lake-servers.ts';
import { startPlainService } from '../../support/plain-service.ts';
import { planJobConfig } from '../../support/plan-question.ts';
import { analyticsRecord, configOf, load, profileId, storeRun } from '../../support/stored-run.ts';
import { SwiftClock } from '../../support/swift-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const servers = await LakeServers.start();
afterAll(() => servers.stop());

type LakeSetup = Omit<Config, 'warehouse'> & { readonly warehouse: TestLake };

const lakes = new Map<'disk' | 's3', LakeSetup>();

/** A lake with a post, made once: a refusal changes nothing. */
async function loaded(on: 'disk' | 's3'): Promise<LakeSetup> {
  const known = lakes.get(on);
  if (known) return known;
  const folder = await mkdtemp(join(servers.folder, 'raw-'));
  const config = { ...configOf(folder), warehouse: servers.newLake(on) };
  await storeRun(config, [analyticsRecord()]);
  await load(config);
  lakes.set(on, config);
  return config;
}

/** The error message, which contains no secret. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PostledgerError)) throw new Error(`not refused: ${String(error)}`);
  for (const password of Object.values(passwords)) expect(error.message).not.toContain(password);
  return error.message;
}

function readPosts(warehouse: LakeConfig): Promise<unknown> {
  const sql = 'select linkedin_post_id from linkedin_posts';
  return runAdHocQuery({ warehouse, sql });
}

async function renderEmv(warehouse: LakeConfig): Promise<unknown> {
  const emv = (await findReports([builtInReports])).get('emv');
  if (!emv) throw new Error('the report was not found');
  const request = {
    config: { ...reportConfig(''), warehouse },
    parameters: allPosts,
    set: {},
    csv: plainCsv,
    formats: ['table'] as const,
    folder: await temporaryFolder(),
    browser: null,
    isDelivered: false,
    terminal: { width: 80, hasColor: false },
  };
  const { signal } = new AbortController();
  const tools = { clock: systemClock, signal, limits: defaultLimits };
  return ReportSessions.with(tools, (sessions) => renderReport(emv, request, sessions));
}

/** A run reads two young date ranges and stores them; one that other machines may share leaves them to these. */
async function readWithoutCatalog(config: LakeSetup, clock: SwiftClock): Promise<void> {
  const service = await startPlainService({ analytics: new Map([[profileId, []]]) });
  const [workspace] = config.workspaces.values();
  if (!workspace) throw new Error('a config has a workspace');
  const apiKey = new Secret('KEY', 'jobs.yaml', 'plain-key');
  const own = { ...workspace, baseUrl: service.url, apiKey };
  const { signal } = new AbortController();
  const tools = { clock, signal, log: silentLog, progress: silentProgress };
  const run = (isShared: boolean) =>
    runJob(
      planJobConfig({}, { profiles: workspace.profiles }),
      {
        full: false,
        from: null,
        to: null,
        reports: true,
        waitMs: 0,
        isShared,
      },
      { ...tools, config: { ...config, workspaces: new Map([[own.key, own]]) } },
    );
  expect(await refusal(run(true))).toMatch(/the catalog cannot be reached/);
  expect(service.requests).toHaveLength(0);
  const { problem, workspaces } = await run(false);
  expect(problem).toMatch(/^not loaded: .*the catalog cannot be reached.*`postledger load`/);
  expect(workspaces).toMatchObject([{ status: 'succeeded', windows: { succeeded: 2 } }]);
  expect(service.requests).toHaveLength(2);
}

test('a catalog that is down or refuses the role is named with what to do', async () => {
  const { warehouse, ...config } = await loaded('disk');
  const stranger = { catalog: servers.catalog('stranger', warehouse.database), s3: null };
  expect(await refusal(readPosts({ ...warehouse, reader: stranger }))).toMatch(
    /role "stranger" does not exist; the catalog cannot be reached/,
  );
  await servers.stopCatalog();
  try {
    const said = /port \d+ failed: Connection refused; the catalog cannot be reached: see that/;
    const clock = new SwiftClock();
    expect(await refusal(load({ ...config, warehouse }, { clock }))).toMatch(
      /connect ECONNREFUSED .*; the catalog cannot be reached: check that/,
    );
    expect(await refusal(readPosts(warehouse))).toMatch(said);
    // it is no failed report, which would never be made
    expect(await refusal(renderEmv(warehouse))).toMatch(said);
    await readWithoutCatalog({ ...config, warehouse }, clock);
  } finally {
    await servers.startCatalog();
  }
  expect(await load({ ...config, warehouse })).toMatchObject({ responses: 2 });
});

test('a storage that refuses its keys or is down is named with what to do', async () => {
  const { warehouse, ...config } = await loaded('s3');
  const s3 = servers.s3Access('a-wrong-key');
  const wrong = {
    ...warehouse,
    writer: { ...warehouse.writer, s3 },
    reader: { ...warehouse.writer, catalog: servers.catalog('reader', warehouse.database), s3 },
  };
  const saidOfKeys = /s3:\/\/lakes|127\.0\.0\.1.*; the storage refuses its keys: see s3/;
  expect(await refusal(readPosts(wrong))).toMatch(saidOfKeys);
  await storeRun(
    { ...config, warehouse },
    [analyticsRecord({ likeCount: 11 })],
    {},
    { run_id: 'next' },
  );
  expect(await refusal(load({ ...config, warehouse: wrong }))).toMatch(saidOfKeys);
  await servers.stopS3();
  try {
    const said = /; the storage cannot be reached: see its endpoint/;
    expect(await refusal(readPosts(warehouse))).toMatch(said);
    expect(await refusal(load({ ...config, warehouse }))).toMatch(said);
  } finally {
    await servers.startS3();
  }
  expect(await load({ ...config, warehouse })).toMatchObject({ responses: 1 });
});

test('an extension that was tampered with or is missing is not loaded', async () => {
  const { warehouse } = await loaded('disk');
  const folder = join(await temporaryFolder(), 'ext');
  await cp(extensions, folder, { recursive: true });
  const path = join(folder, 'v1.5.5/linux_amd64/ducklake.duckdb_extension');
  const bytes = await readFile(path);
  bytes[1_000_000] = (bytes[1_000_000] ?? 0) ^ 1;
  // this process has verified the intact file before
  await readPosts({ ...warehouse, extensions: folder });
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
  expect(await refusal(readPosts({ ...warehouse, extensions: folder }))).toMatch(
    /extension ducklake cannot be loaded \(.*signature.*\); put the one of this DuckDB version/,
  );
  const none = await temporaryFolder();
  expect(await refusal(readPosts({ ...warehouse, extensions: none }))).toMatch(
    /extension ducklake cannot be loaded \(.*not found.*\); put the one/,
  );
});

test('user SQL runs with a read-only role and reaches no other database', async () => {
  const { warehouse } = await loaded('disk');
  await readPosts(warehouse);
  expect(await refusal(readPosts({ ...warehouse, reader: warehouse.writer }))).toMatch(
    /^jobs\.yaml: warehouse\.lake\.catalog: SQL of others reads the lake at .* may write to its database/,
  );
  const grant = (right: string) => servers.sql(warehouse.database, right);
  for (const name of ['pg_try_advisory_lock(bigint)', 'lo_create(oid)']) {
    grant(`grant execute on function ${name} to reader`);
    expect(await refusal(readPosts(warehouse))).toMatch(
      /may take advisory locks or store large objects in its database; make one as docs\/lake\.md says/,
    );
    grant(`revoke execute on function ${name} from reader`);
  }
  expect(await refusal(readPosts({ ...warehouse, reader: null }))).toMatch(
    /^warehouse\.reader is missing in jobs\.yaml: SQL of others/,
  );
  (await openWarehouse({ ...warehouse, reader: null })).close();
  const run = (sql: string) => refusal(runAdHocQuery({ warehouse, sql }));
  for (const [name, sql] of [
    ['postgres_scan', "from postgres_scan('host=127.0.0.1', 'public', 'x')"],
    ['query', "select * from query('select 1')"],
    [
      'json_execute_serialized_sql',
      "from json_execute_serialized_sql(json_serialize_sql('from postgres_scan(''host=127.0.0.1'', ''public'', ''x'')'))",
    ],
    ['read_csv', "from read_csv('/etc/passwd')"],
  ] as const) {
    expect(await run(sql)).toBe(
      `sql: the function ${name} can reach more than the warehouse's tables, and cannot be used here`,
    );
  }
  expect(await run("from '/etc/passwd'")).toMatch(/Table with name \/etc\/passwd does not exist/);
});

test('user SQL reads object storage with read-only keys', async () => {
  const { warehouse } = await loaded('s3');
  expect(await readPosts(warehouse)).toMatchObject({ rows: [[expect.anything()]] });
  const { catalog } = warehouse.reader ?? warehouse.writer;
  const writing = { ...warehouse, reader: { catalog, s3: warehouse.writer.s3 } };
  expect(await refusal(readPosts(writing))).toMatch(
    /^jobs\.yaml: warehouse\.lake\.s3: SQL of others .* those of \S+ could write s3:\/\/lakes\/lake\d+\/written-by-a-reader\.csv; remove it/,
  );
});

test('the number of shards is fixed when the lake is created', async () => {
  const { warehouse, ...config } = await loaded('disk');
  const said =
    /was made with 2 shards, and jobs\.yaml says 8; the number never changes: write shards: 2/;
  expect(await refusal(load({ ...config, warehouse: { ...warehouse, shards: 8 } }))).toMatch(said);
  expect(await refusal(readPosts({ ...warehouse, shards: 8 }))).toMatch(said);
});
