import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const cli = resolve(import.meta.dirname, '../../dist/cli.js');

/** Goes before every measured program, and writes what it used to descriptor 3 when it exits. */
const usageReporter = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    writeSync(3, JSON.stringify({ cpuSeconds, megabytes: maxRSS / 1024 }));
  });
`)}`;

/** Python packages of other projects, which a bench compares with where they are installed. */
const peers = resolve(import.meta.dirname, '../../.cache/peers');

const pythonReporter = `
import json, os, resource, runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
seconds = sum(usage.ru_utime + usage.ru_stime for usage in usages)
megabytes = max(usage.ru_maxrss for usage in usages) / 1024
os.write(3, json.dumps({"cpuSeconds": seconds, "megabytes": megabytes}).encode())
`;

const commonOptions = {
  short: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  step: { type: 'string' },
  folder: { type: 'string' },
};

/**
 * Reads a bench's numbers from the command line, as in `--records 1000000`. With `--short` a bench takes tiny numbers and
 * ends in a few seconds.
 * @param numbers the usual and the short number by name
 */
export function readNumbers(numbers) {
  const given = readCommandLine(Object.keys(numbers));
  const entries = Object.entries(numbers).map(([name, [usual, short]]) => {
    const value = Number(given[name] ?? (given.short ? short : usual));
    if (!(value > 0)) throw new Error(`--${name} ${given[name]} is not a number above 0`);
    return [name, value];
  });
  return Object.fromEntries(entries);
}

function readCommandLine(names) {
  const numbers = names.map((name) => [name, { type: 'string' }]);
  const options = { ...Object.fromEntries(numbers), ...commonOptions };
  // each reader knows its own numbers, and has left the others to the bench
  return parseArgs({ options, strict: names.length > 0 }).values;
}

/**
 * Runs a bench in a folder of its own, and prints its rows as a table, or as JSON with `--json`. The exit code is 1 when
 * it found problems. `--keep` keeps the folder.
 * @param file the bench's own file, which is started again for each step
 * @param steps functions by name, called with the folder
 * @param work measures with a {@link Bench}, and returns further facts, among them `problems` where it judges
 */
export async function runBench(file, steps, work) {
  const { step, folder: given, json, keep } = readCommandLine([]);
  if (step !== undefined) return steps[step](given);
  const folder = await mkdtemp(join(tmpdir(), 'postledger-bench-'));
  const bench = new Bench(file, folder);
  try {
    print(bench.rows, (await work(bench)) ?? {}, json);
  } finally {
    if (!keep) await rm(folder, { recursive: true, force: true });
  }
  if (keep) console.error(`kept ${folder}`);
}

/** Measures whole processes, and collects the rows that a bench prints. */
class Bench {
  #file;
  rows = [];

  constructor(file, folder) {
    this.#file = file;
    this.folder = folder;
  }

  /** Measures the built program in a folder. */
  command(args, { cwd = this.folder } = {}) {
    return measure([cli, ...args], cwd);
  }

  /** Measures a step of the bench. */
  step(name) {
    const own = process.argv.slice(2);
    return measure([this.#file, ...own, '--step', name, '--folder', this.folder], this.folder);
  }

  /** Measures a script of Node alone. */
  script(text) {
    return measure(['-e', text], this.folder);
  }

  /**
   * Measures a script of bench/peers, with the folder as its first argument.
   * @returns null where its package is not installed in .cache/peers
   */
  async peer(script, packageName, ...given) {
    if (!existsSync(join(peers, packageName))) return null;
    const path = join(import.meta.dirname, '../peers', script);
    const args = ['-c', pythonReporter, path, this.folder, ...given.map(String)];
    return measureProcess('python3', args, { cwd: this.folder, env: { PYTHONPATH: peers } });
  }

  /** Adds a row of a process, with its processor time as a multiple of another one's where that is given. */
  add(what, { seconds, cpuSeconds, megabytes }, floor) {
    const times = floor && { times: cpuSeconds / floor.cpuSeconds };
    this.rows.push({ what, seconds, 'cpu s': cpuSeconds, MB: megabytes, ...times });
  }
}

/** Measures one process of Node. */
function measure(args, cwd) {
  const options = { cwd, env: { BENCH_KEY: 'key' } };
  return measureProcess(process.execPath, ['--import', usageReporter, ...args], options);
}

/** @returns wall and processor seconds, and peak memory, of a process that writes its usage to descriptor 3 */
async function measureProcess(file, args, { cwd, env }) {
  const start = performance.now();
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let usage = '';
  let errors = '';
  child.stdio[3].on('data', (data) => (usage += data));
  child.stderr.on('data', (data) => (errors += data));
  const [code] = await once(child, 'close');
  // a report of incomplete data ends with 3
  if (code !== 0 && !(code === 3 && args.includes('report')))
    throw new Error(`${args.join(' ')}: exit code ${code}\n${errors}`);
  return { seconds: (performance.now() - start) / 1000, ...JSON.parse(usage) };
}

/** The measurement that took the middle one of all processor times. */
export function median(measured) {
  const sorted = measured.toSorted((one, other) => one.cpuSeconds - other.cpuSeconds);
  return sorted[Math.floor(sorted.length / 2)];
}

function print(rows, facts, isJson) {
  const rounded = rows.map(roundNumbers);
  const more = roundNumbers(facts);
  if (isJson) console.log(JSON.stringify({ rows: rounded, ...more }, null, 2));
  else {
    console.table(rounded);
    for (const [name, value] of Object.entries(more)) console.log(`${name}: ${value}`);
  }
  if (facts.problems?.length > 0) process.exitCode = 1;
}

function roundNumbers(row) {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'number' ? Number(value.toFixed(value < 10 ? 2 : 1)) : value,
  ]);
  return Object.fromEntries(entries);
}
