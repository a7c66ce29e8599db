// Runs a job that reads posts over HTTP on loopback, beside undici that stores the same answers in files, from which DuckDB
// alone makes one table. Then runs it again, which reads the newest date ranges, and for the last 200 days, some sixty
// answers. The service is a process of its own, which is not measured. dlt reads the same where it is installed:
//   python3 -m pip install --target .cache/peers 'dlt[duckdb]==1.31.0'
//   npm run build && node bench/run.mjs [--posts 100000] [--profiles 10] [--days 350] [--short] [--json] [--keep]
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { request } from 'undici';
import { dayMs, madeProfiles, readAlone, writeJobsFile } from './support/data-folder.mjs';
import { readNumbers, runBench } from './support/harness.mjs';

const {
  posts,
  profiles: profileCount,
  days,
} = readNumbers({ posts: [100_000, 40], profiles: [10, 2], days: [350, 20] });
const recentDays = Math.min(days - 1, 200);
const profiles = madeProfiles(profileCount);
const program = resolve(import.meta.dirname, '../dist/cli.js');

/** Writes the addresses of what the job reads first to a file. */
async function writeAddresses(folder, url) {
  const env = { ...process.env, BENCH_KEY: 'key' };
  const options = { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] };
  const plan = JSON.parse(execFileSync(process.execPath, [program, 'plan', '--json'], options));
  const windows = plan.jobs.flatMap(({ workspaces }) => workspaces.flatMap((each) => each.windows));
  const addresses = windows.map(
    ({ profile_id: id, start_date: start, end_date: end }) =>
      `${url}/analytics/linkedin/${id}/posts?startDate=${start}&endDate=${end}`,
  );
  await writeFile(join(folder, 'addresses.json'), JSON.stringify(addresses));
}

const steps = {
  floor: async (folder) => {
    const addresses = JSON.parse(await readFile(join(folder, 'addresses.json'), 'utf8'));
    await mkdir(join(folder, 'answers'));
    for (const [index, address] of addresses.entries()) {
      const { body } = await request(address, { headers: { authorization: 'Bearer key' } });
      await writeFile(join(folder, 'answers', `${index}.json`), await body.bytes());
    }
    await readAlone(folder, `read_json('${join(folder, 'answers', '*.json')}', format = 'array')`);
  },
};

await runBench(import.meta.filename, steps, async (bench) => {
  const day = Math.floor(Date.now() / dayMs);
  const made = [String(Math.ceil(posts / days / profileCount)), String(day - 1)];
  const service = fork(join(import.meta.dirname, 'support/service.mjs'), made);
  try {
    const [url] = await once(service, 'message');
    await writeJobsFile(bench.folder, { acme: profiles }, { url, days });
    await writeAddresses(bench.folder, url);
    const floor = await bench.step('floor');
    bench.add('undici and DuckDB alone', floor);
    bench.add(`run that reads ${posts} posts`, await bench.command(['run', 'daily']), floor);
    const dlt = await bench.peer('dlt_posts.py', 'dlt');
    if (dlt) bench.add('dlt, merged by id', dlt, floor);
    bench.add('run again', await bench.command(['run', 'daily']));
    const from = new Date((day - recentDays) * dayMs).toISOString().slice(0, 10);
    bench.add(`run for ${recentDays} days`, await bench.command(['run', 'daily', '--from', from]));
  } finally {
    service.kill();
  }
});
