// Goes before the program (node --import). Sets its wall clock, and counts its writes, SQL statements and sends, so that it can be
// killed at exactly one of these: at instructions that a kill after some milliseconds hardly ever meets.
//   SWITCH_WALL_MS  the wall clock begins there, and goes a thousandth as fast
//   SWITCH_KILL     `<write, folder, statement or send> <nth, from 1> <before, during or after>`: kills itself there with SIGKILL;
//                   `folder` counts the writes to private folders
//   SWITCH_COUNTS   a file that is given the numbers, as JSON, when the process ends by itself
import fs from 'node:fs';
import Module, { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const { SWITCH_WALL_MS: wallMs, SWITCH_KILL: kill = '', SWITCH_COUNTS: countsFile } = process.env;
const [killPoint, killAt, side] = kill.split(' ');
const counts = { write: 0, folder: 0, statement: 0, send: 0 };
const privateFolder = /\/\.postledger-[0-9a-f]{16}(\/|$)/;
/** Calls below the engine's API, which is part of the built program. */
const engineCalls = ['query', 'execute_prepared'];
const writingCalls = [
  ...['appendFile', 'copyFile', 'link', 'mkdir', 'rename', 'rm', 'rmdir', 'truncate', 'unlink'],
  ...['utimes', 'writeFile', 'datasync', 'sync', 'write', 'writev'],
];

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

function die() {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

function counted(point, work) {
  return function (...given) {
    counts[point] += 1;
    if (point !== killPoint || counts[point] !== Number(killAt)) return work.apply(this, given);
    if (side === 'before') die();
    if (side === 'during') setImmediate(die);
    const result = work.apply(this, given);
    if (side === 'during') return result;
    return typeof result?.then === 'function' ? result.finally(die) : die();
  };
}

function countedWrite(work) {
  const ofAny = counted('write', work);
  const ofFolder = counted('folder', ofAny);
  return function (path, ...more) {
    return (privateFolder.test(path) ? ofFolder : ofAny).call(this, path, ...more);
  };
}

async function watchWrites() {
  const handle = await fs.promises.open('/dev/null');
  const ofHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const { writeFileSync } = fs;
  for (const target of [ofHandle, fs.promises])
    for (const name of writingCalls)
      if (typeof target[name] === 'function') target[name] = countedWrite(target[name]);
  for (const name of writingCalls.map((each) => `${each}Sync`))
    if (typeof fs[name] === 'function') fs[name] = countedWrite(fs[name]);
  process.on('exit', () => writeFileSync(countsFile, JSON.stringify(counts)));
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

/** Requests to the API, commands to the mail server and uploads are such writes to a connection. */
function watchConnections() {
  const { prototype } = net.Socket;
  prototype.write = counted('send', prototype.write);
}

slowWallClock(Number(wallMs));
await watchWrites();
watchStatements();
watchConnections();
syncBuiltinESMExports();
