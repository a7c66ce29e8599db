// Runs the properties of test/fuzz for long, one file after another, and prints a summary as JSON. Ends with exit code 1
// when one does not hold, and says which environment leads to its counterexample again.
//   node bench/fuzz.mjs [--runs 5000] [--seed 1] [--only config,events]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const root = resolve(import.meta.dirname, '..');
const chosen = options.only.split(',').filter(Boolean);
const files = (await readdir(join(root, 'test/fuzz'))).sort();
const names = files.map((file) => file.replace(/\.test\.ts$/, ''));
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`--only ${unknown}: there is ${names.join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'postledger-fuzz-'));
const properties = [];
try {
  for (const name of chosen.length > 0 ? chosen : names) properties.push(...(await runFile(name)));
} finally {
  await rm(folder, { recursive: true, force: true });
}
const failed = properties.filter(({ again }) => again !== undefined);
const { runs, seed } = options;
console.log(JSON.stringify({ runs, seed, failed: failed.length, properties }, null, 2));
process.exitCode = failed.length === 0 ? 0 : 1;

/** The properties of a file, each with its minutes, and how it failed where it did. */
async function runFile(name) {
  const report = join(folder, `${name}.json`);
  const test = `test/fuzz/${name}.test.ts`;
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const asked = ['run', '--project', 'slow', test, '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [vitest, ...asked], {
    cwd: root,
    env: { ...process.env, FUZZ_RUNS: options.runs, FUZZ_SEED: options.seed },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'close');
  const { testResults } = JSON.parse(await readFile(report, 'utf8'));
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) throw new Error(`${test} did not run: ${testResults[0]?.message}`);
  return results.map(({ title, duration = 0, status, failureMessages }) => ({
    file: test,
    title,
    minutes: Math.round(duration / 600) / 100,
    ...(status !== 'passed' && {
      again: /^again with .*$/m.exec(failureMessages.join('\n'))?.[0] ?? 'not by a counterexample',
      told: failureMessages.join('\n').slice(0, 4000),
    }),
  }));
}
