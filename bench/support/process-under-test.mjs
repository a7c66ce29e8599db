// Goes before the program (node --import). Moves its clocks, and counts what it writes, so that it can be killed
// at exactly that write: at instructions that a kill after some milliseconds hardly ever meets.
//   BENCH_SHIFT_MS    the wall clock is so far from the machine's
//   BENCH_SPEED       the monotonic clock, and with it every wait, goes so many times as fast
//   BENCH_KILL_AT     SIGKILL at this write, from 1; with BENCH_KILL_SIDE=after once it is done
//   BENCH_WRITES      a file that is given the number of writes when the process ends by itself
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const { env } = process;

function shiftWallClock(shiftMs) {
  const now = () => MachineDate.now() + shiftMs;
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

const killAt = Number(env.BENCH_KILL_AT ?? 0);
const isAfter = env.BENCH_KILL_SIDE === 'after';
let writes = 0;

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

function counted(write) {
  return function (...given) {
    writes += 1;
    if (writes !== killAt) return write.apply(this, given);
    if (!isAfter) die();
    const result = write.apply(this, given);
    return typeof result?.then === 'function' ? result.finally(die) : die();
  };
}

function countWrites(target, names) {
  for (const name of names) target[name] = counted(target[name]);
}

async function watchWrites() {
  const handle = await fs.promises.open('/dev/null');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const { writeFileSync } = fs;
  countWrites(prototype, writers.handle);
  countWrites(fs.promises, writers.promises);
  countWrites(fs, writers.sync);
  const report = env.BENCH_WRITES;
  if (report) process.on('exit', () => writeFileSync(report, String(writes)));
}

if (env.BENCH_SHIFT_MS) shiftWallClock(Number(env.BENCH_SHIFT_MS));
if (env.BENCH_SPEED) hurry(Number(env.BENCH_SPEED));
if (killAt > 0 || env.BENCH_WRITES) await watchWrites();
syncBuiltinESMExports();
