// Goes before the program (node --import). Moves its clocks, and counts its writes and SQL statements, so that it can be
// killed at exactly one of these: at instructions that a kill after some milliseconds hardly ever meets.
//   BENCH_WALL_MS     the wall clock begins there, and goes a thousandth as fast
//   BENCH_SPEED       the monotonic clock, and with it every wait, goes so many times as fast
//   BENCH_KILL_POINT  `write` or `statement`
//   BENCH_KILL_AT     SIGKILL at this one, from 1, on the side of BENCH_KILL_SIDE: `before`, `during` or `after` it
//   BENCH_COUNTS      a file that is given both numbers, as JSON, when the process ends by itself
import fs from 'node:fs';
import Module, { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const { env } = process;

/** Two processes one after another can be given the same minute. */
function slowWallClock(startMs) {
  const began = performance.now();
  const now = () => startMs + Math.floor((performance.now() - began) / 1000);
  const MachineDate = globalThis.Date;
  globalThis.Date = new Proxy(MachineDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new MachineDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}

/** Both together: whoever waits asks the monotonic clock how long is left. */
function hurry(speed) {
  const { bigint } = process.hrtime;
  process.hrtime.bigint = () => bigint() * BigInt(speed);
  const { setTimeout: sleep } = timers;
  timers.setTimeout = (ms, value, options) => sleep(ms / speed, value, options);
}

const writers = {
  promises: [
    'appendFile',
    'copyFile',
    'link',
    'mkdir',
    'rename',
    'rm',
    'rmdir',
    'truncate',
    'unlink',
    'utimes',
    'writeFile',
  ],
  handle: ['appendFile', 'datasync', 'sync', 'truncate', 'write', 'writeFile', 'writev'],
  sync: ['fsyncSync', 'linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'unlinkSync', 'writeSync'],
};

/** Below the engine's API, which is part of the built program. */
const engineCalls = ['query', 'execute_prepared'];

const killAt = Number(env.BENCH_KILL_AT ?? 0);
const side = env.BENCH_KILL_SIDE;
const counts = { write: 0, statement: 0 };

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

function counted(point, work) {
  return function (...given) {
    counts[point] += 1;
    if (point !== env.BENCH_KILL_POINT || counts[point] !== killAt) return work.apply(this, given);
    if (side === 'before') die();
    if (side === 'during') setImmediate(die);
    const result = work.apply(this, given);
    if (side === 'during') return result;
    return typeof result?.then === 'function' ? result.finally(die) : die();
  };
}

function count(point, target, names) {
  for (const name of names) target[name] = counted(point, target[name]);
}

async function watchWrites() {
  const handle = await fs.promises.open('/dev/null');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const { writeFileSync } = fs;
  count('write', prototype, writers.handle);
  count('write', fs.promises, writers.promises);
  count('write', fs, writers.sync);
  const report = env.BENCH_COUNTS;
  if (report) process.on('exit', () => writeFileSync(report, JSON.stringify(counts)));
}

function watchStatements() {
  const { _load: load } = Module;
  Module._load = (name, ...more) => {
    const loaded = load(name, ...more);
    if (name !== '@duckdb/node-bindings') return loaded;
    const calls = engineCalls.map((call) => [call, { value: counted('statement', loaded[call]) }]);
    return Object.create(loaded, Object.fromEntries(calls));
  };
}

if (env.BENCH_WALL_MS) slowWallClock(Number(env.BENCH_WALL_MS));
if (env.BENCH_SPEED) hurry(Number(env.BENCH_SPEED));
if (killAt > 0 || env.BENCH_COUNTS) {
  await watchWrites();
  watchStatements();
}
syncBuiltinESMExports();
