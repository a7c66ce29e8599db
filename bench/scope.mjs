// What a load, a report, the status and a plan of one workspace cost in a warehouse of many: at most twice the time in a
// warehouse of that workspace alone plus a plain copy of the large file. Whole processes of the built program.
//   npm run build && node bench/scope.mjs [--workspaces 2000] [--readings 40000000] [--keep]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { loadConfig } from '../build/config/load-config.js';
import { settingsOf } from '../build/load/pending.js';
import { judged } from './support/judged.mjs';
import {
  makeWarehouse,
  newRun,
  profileId,
  profilesEach,
  workspaceKey,
} from './support/many-workspaces.mjs';
import { storeRun } from './support/stored-run.mjs';
import { withWarehouse } from './support/warehouse-file.mjs';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '2000' },
    readings: { type: 'string', default: '40000000' },
    keep: { type: 'boolean', default: false },
  },
});
const size = { workspaces: Number(values.workspaces), readings: Number(values.readings) };
const small = { workspaces: 1, readings: Math.round(size.readings / size.workspaces) };
const workspace = workspaceKey(0);
const mostTimes = 2;
const loads = 3;

const report = ['report', 'run', 'emv', '--workspace', workspace, '--format', 'md', '--out', 'out'];
const commands = {
  plan: ['plan', 'daily'],
  status: ['status'],
  report,
  'report as of': [...report, '--as-of', '2025-10-01'],
};
/** Held to `mostTimes`; the others look at what is configured, which is more of it. */
const judgedCommands = ['load', 'plan', 'report', 'report as of'];

const cli = resolve(import.meta.dirname, '../dist/cli.js');
const reportUsage = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    writeSync(3, JSON.stringify({ megabytes: maxRSS / 1024, cpuSeconds }));
  });
`)}`;

/** @returns wall and processor seconds, and the most memory, of one command */
async function measure(folder, args) {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', reportUsage, cli, ...args], {
    cwd: folder,
    env: { ...process.env, BENCH_KEY: 'key' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let usage = '';
  let errors = '';
  child.stdio[3].on('data', (data) => (usage += data));
  child.stderr.on('data', (data) => (errors += data));
  const [code] = await once(child, 'close');
  if (![0, 3].includes(code)) throw new Error(`${args.join(' ')}: exit code ${code}\n${errors}`);
  return { seconds: (performance.now() - start) / 1000, ...JSON.parse(usage) };
}

/** A jobs.yaml and the warehouse that its loads would have made. */
async function makeFolder(folder, own) {
  await mkdir(join(folder, 'data'), { recursive: true });
  await writeFile(join(folder, 'jobs.yaml'), jobsText(own.workspaces));
  const file = join(folder, 'jobs.yaml');
  const config = await loadConfig({ file, environment: process.env, now: new Date() });
  await makeWarehouse(config.warehouse, own, settingsOf(config));
  return { folder, config };
}

function jobsText(count) {
  const keys = Array.from({ length: count }, (_, number) => workspaceKey(number));
  return [
    'timezone: UTC',
    'currency: EUR',
    'data_dir: ./data',
    'warehouse: ./data/w.duckdb',
    'workspaces:',
    ...keys.flatMap((key) => [
      `  ${key}:`,
      '    base_url: http://127.0.0.1:9/api/v1',
      '    api_key: ${BENCH_KEY}',
      '    profiles:',
      ...Array.from(
        { length: profilesEach },
        (_, number) =>
          `      - { id: ${profileId(key, number)}, name: Profile ${number}, cpm: 30 }`,
      ),
    ]),
    'jobs:',
    '  daily:',
    `    profiles: [${workspace}/*]`,
    '    windows: { days: 400, size_days: 35, refresh_days: 35 }',
  ].join('\n');
}

/** What a load does before all else, and what becomes of the file at its end. */
async function timeCopy(file) {
  const start = performance.now();
  await copyFile(file, `${file}.copy`, constants.COPYFILE_FICLONE);
  const handle = await open(`${file}.copy`, 'r+');
  await handle.sync();
  await handle.close();
  const seconds = (performance.now() - start) / 1000;
  await rm(`${file}.copy`);
  return seconds;
}

async function measureAll({ folder, config }, own) {
  const measured = {};
  for (const [name, args] of Object.entries(commands)) measured[name] = await measure(folder, args);
  const days = [];
  for (let place = 0; place < loads; place += 1) {
    await storeRun(config.dataDir, newRun(workspace, place, own));
    days.push(await measure(folder, ['load']));
  }
  measured.load = days.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(loads / 2)];
  return measured;
}

/** All that the warehouse has of the workspace, to be alike in both. */
async function rowsOfWorkspace({ config }) {
  return withWarehouse(config.warehouse, async (query) => {
    const rows = {};
    for (const { table_name: table } of await query(
      `select distinct table_name from duckdb_columns()
       where column_name = 'workspace' and not internal order by all`,
    ))
      rows[table] = await query(
        `select count(*) as rows, bit_xor(hash(t::varchar)) as content from ${table} as t
         where workspace = '${workspace}'`,
      );
    return rows;
  });
}

await judged('scope', values, async (folder) => {
  const one = await makeFolder(join(folder, 'one'), small);
  const many = await makeFolder(join(folder, 'many'), size);
  const copySeconds = await timeCopy(many.config.warehouse);
  const gigabytes = (await stat(many.config.warehouse)).size / 1e9;
  const [alone, among] = [await measureAll(one, small), await measureAll(many, size)];
  const problems = [];
  const table = Object.entries(among).map(([command, its]) => {
    const floor = alone[command].seconds + copySeconds;
    const times = its.seconds / floor;
    if (judgedCommands.includes(command) && times > mostTimes)
      problems.push(`${command} takes ${times.toFixed(1)} times as long`);
    const row = { command, times };
    for (const [name, { seconds, cpuSeconds, megabytes }] of [
      ['one', alone[command]],
      ['many', its],
    ])
      Object.assign(row, {
        [name]: seconds,
        [`${name} cpu`]: cpuSeconds,
        [`${name} MB`]: megabytes,
      });
    return row;
  });
  for (const row of table)
    for (const [name, value] of Object.entries(row))
      if (typeof value === 'number') row[name] = Number(value.toFixed(2));
  console.table(table);
  if (!isDeepStrictEqual(await rowsOfWorkspace(one), await rowsOfWorkspace(many)))
    problems.push('the workspace has other rows among many than alone');
  return { ...size, gigabytes, copySeconds, problems };
});
