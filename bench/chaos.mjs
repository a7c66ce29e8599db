// Lets four machines share a lake of 16 workspaces, round after round, while faults of a seed hit them: processes are
// killed, or stopped for longer than their leases, PostgreSQL and the S3 server go down and up, and a disk is full. Tables and reports have to be those of a machine with a file that nothing hits. It is
// test/slow/lake/chaos.test.ts for longer, and needs PostgreSQL and what .ci/lake-tools installs.
//   npm run build && node bench/chaos.mjs [--minutes 30] [--seed 1] [--short] [--json]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readNumbers, runBench } from './support/harness.mjs';

const root = resolve(import.meta.dirname, '..');
const { minutes, seed } = readNumbers({
  minutes: [30, 1],
  seed: [1 + Math.floor(1e6 * Math.random()), 1],
});
// one round with one fault of each kind
const isShort = process.argv.includes('--short');

await runBench(import.meta.filename, {}, (bench) => {
  if (![join(root, '.cache/lake/bin/versitygw'), '/usr/lib/postgresql'].every(existsSync))
    throw new Error('bench/chaos needs PostgreSQL, and .cache/lake: run .ci/lake-tools');
  const file = join(bench.folder, 'figures.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  console.error(`seed ${seed}`);
  spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'slow', 'test/slow/lake/chaos.test.ts'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      env: {
        ...process.env,
        FUZZ_SEED: String(seed),
        CHAOS_FIGURES: file,
        ...(!isShort && { CHAOS_MINUTES: String(minutes) }),
      },
    },
  );
  if (!existsSync(file)) throw new Error('the test ended without figures');
  const { rows, ...facts } = JSON.parse(readFileSync(file, 'utf8'));
  bench.rows.push(...rows);
  return facts;
});
