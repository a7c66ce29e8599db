// Compares a load, reports, the status and a plan of one workspace in a warehouse of many with those in a warehouse of
// that workspace alone. `times` is wall time as a multiple of the time alone and of a plain copy of the large file
// together. The bench fails where that is more than `--most-times`, or where the workspace's rows differ.
//   npm run build && node bench/scope.mjs [--workspaces 2000] [--readings 40000000] [--loads 3] [--commands 4]
//     [--most-times 2] [--short] [--json] [--keep]
import { constants } from 'node:fs';
import { copyFile, mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { storeRun, warehouseOf, withDatabase, writeJobsFile } from './support/data-folder.mjs';
import { median, readNumbers, runBench } from './support/harness.mjs';
import {
  fillWarehouse,
  newRun,
  profilesByWorkspace,
  workspaceKey,
} from './support/many-workspaces.mjs';

const {
  workspaces,
  readings,
  loads,
  commands: commandCount,
  'most-times': mostTimes,
} = readNumbers({
  workspaces: [2_000, 3],
  readings: [40_000_000, 6_000],
  loads: [3, 1],
  commands: [4, 1],
  // a few milliseconds of a busy machine say nothing
  'most-times': [2, 1_000],
});
const large = { workspaces, readings };
const small = { workspaces: 1, readings: Math.round(readings / workspaces) };
const workspace = workspaceKey(0);

const report = ['report', 'run', 'emv', '--workspace', workspace, '--format', 'md', '--out', 'out'];
const commands = {
  report,
  plan: ['plan', 'daily'],
  status: ['status'],
  'report as of': [...report, '--as-of', '2025-10-01'],
};
/** `status` looks at everything that is configured, which is more of it. */
const unlimited = ['status'];

async function makeFolder(bench, name, size) {
  const folder = join(bench.folder, name);
  await mkdir(folder);
  await writeJobsFile(folder, profilesByWorkspace(size.workspaces));
  await bench.command(['load'], { cwd: folder });
  await fillWarehouse(warehouseOf(folder), size);
  return folder;
}

/** A load begins with a copy of the file and ends with syncing it. */
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

async function measureAll(bench, folder, size) {
  const measured = {};
  for (const [name, args] of Object.entries(commands).slice(0, commandCount))
    measured[name] = await bench.command(args, { cwd: folder });
  const days = [];
  for (let day = 0; day < loads; day += 1) {
    await storeRun(folder, newRun(workspace, day, size));
    days.push(await bench.command(['load'], { cwd: folder }));
  }
  return { ...measured, load: median(days) };
}

/** Everything that the warehouse has of the workspace, which is the same in both. */
function rowsOfWorkspace(folder) {
  const tables = `select distinct table_name from duckdb_columns()
    where column_name = 'workspace' and not internal order by all`;
  const options = { access_mode: 'READ_ONLY' };
  return withDatabase(warehouseOf(folder), options, async (connection) => {
    const query = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson();
    const rows = [];
    for (const [table] of await query(tables))
      rows.push([
        table,
        await query(`select count(*), bit_xor(hash(t::varchar)) from ${table} as t
          where workspace = '${workspace}'`),
      ]);
    return rows;
  });
}

await runBench(import.meta.filename, {}, async (bench) => {
  const one = await makeFolder(bench, 'one', small);
  const many = await makeFolder(bench, 'many', large);
  const copySeconds = await timeCopy(warehouseOf(many));
  const gigabytes = (await stat(warehouseOf(many))).size / 1e9;
  const alone = await measureAll(bench, one, small);
  const among = await measureAll(bench, many, large);
  const problems = [];
  for (const [name, measured] of Object.entries(among)) {
    const times = measured.seconds / (alone[name].seconds + copySeconds);
    bench.add(`${name} of one`, alone[name]);
    bench.add(`${name} of many`, measured);
    bench.rows.at(-1).times = times;
    if (times > mostTimes && !unlimited.includes(name))
      problems.push(`${name} takes ${times.toFixed(1)} times as long`);
  }
  if (!isDeepStrictEqual(await rowsOfWorkspace(one), await rowsOfWorkspace(many)))
    problems.push('the workspace has other rows among many than alone');
  return { gigabytes, copySeconds, problems };
});
