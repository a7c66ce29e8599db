import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { mostWithin } from '../api/most-within.ts';
import type { Chaos } from './chaos.ts';
import { faultKinds } from './chaos-faults.ts';
import type { ChaosProcess } from './chaos-machine.ts';
import type { Asked } from './fleet.ts';
import { dumpTables } from './table-dump.ts';

/** Of a client, by default. */
const concurrency = 4;
/** The columns that name a run or the time of a reading, which differ between two readings of the same figures. */
const readingColumns = [
  ...['run_id', 'seq', 'reading_id', 'fetched_at', 'requests', 'captured_at', 'first_seen_at'],
  ...['last_seen_at', 'detail_fetched_at', 'received_at'],
];
const runTables = ['load_settings', 'loaded_responses', 'run_parts', 'runs', 'schema_files'];

/** What the processes that faults hit may not have done, or have left undone. */
export async function problemsOf(chaos: Chaos): Promise<string[]> {
  return [
    ...problemsOfProcesses(chaos),
    ...problemsOfRequests(chaos),
    ...(await problemsOfTables(chaos)),
    ...(await problemsOfReports(chaos)),
  ];
}

/** A process that no fault hit ends well, and any other with an error that is expected. */
function problemsOfProcesses(chaos: Chaos): string[] {
  return chaos.machines.flatMap(({ processes }) =>
    processes.flatMap((process) => {
      const { key, end } = process;
      if (end === null || end.signal === 'SIGKILL') return [];
      const isExpected = end.code === 0 || isHit(chaos, process, Infinity);
      const isBug = /a bug in postledger|\n +at /.test(end.stderr);
      return isExpected && !isBug ? [] : [`${key} ended with ${end.code}: ${end.stderr}`];
    }),
  );
}

/** True if a fault hit the process before that time. */
function isHit({ faults }: Chaos, { key, startMs, end }: ChaosProcess, beforeMs: number): boolean {
  return faults.some(
    ({ machine, fromMs, toMs }) =>
      (machine === null || machine === machineOf(key)) &&
      toMs >= startMs &&
      fromMs <= Math.min(beforeMs, end?.atMs ?? Infinity),
  );
}

function machineOf(key: string): string {
  return key.split('.')[0] ?? key;
}

function problemsOfRequests(chaos: Chaos): string[] {
  const { service, options } = chaos;
  const { requests, perSeconds } = options.limit;
  return service.workspaces.flatMap((workspace) => {
    const problems: string[] = [];
    const asked = askedOf(chaos, workspace);
    for (const [at, { key, atMs }] of asked.entries()) {
      const before = asked[at - 1];
      if (!before || machineOf(before.key) === machineOf(key)) continue;
      const seconds = (atMs - before.atMs) / 1000;
      if (seconds < perSeconds)
        problems.push(`${workspace}: ${key} asked ${seconds} s after ${before.key}`);
    }
    // on a busy machine a request arrives long after it was sent, and the next one does not
    const times = asked.map(({ atMs }) => atMs);
    const most = mostWithin(times, 500 * perSeconds);
    if (most > requests)
      problems.push(`${workspace}: ${most} requests within half of the limit's interval`);
    return [...problems, ...problemsOfRepeats(chaos, asked)];
  });
}

/** The requests of machines that faults hit. */
function askedOf({ service }: Chaos, workspace: string): Asked[] {
  return service.asked.filter((each) => each.workspace === workspace && each.key !== 'calm');
}

/**
 * Only what a process asked that was hit is asked again. If it is by the same machine, which has on its disk what was
 * answered, it is at most what was under way.
 */
function problemsOfRepeats(chaos: Chaos, asked: readonly Asked[]): string[] {
  const processes = new Map(
    chaos.machines.flatMap((each) => each.processes.map((process) => [process.key, process])),
  );
  const problems: string[] = [];
  const last = new Map<string, Asked>();
  const own = new Map<string, number>();
  for (const request of asked) {
    const before = last.get(request.query);
    last.set(request.query, request);
    if (!before) continue;
    const process = processes.get(before.key);
    const words = `${request.key} asked what ${before.key} had: ${request.workspace} ${request.query}`;
    if (!process || !isHit(chaos, process, request.atMs)) problems.push(words);
    if (machineOf(before.key) !== machineOf(request.key)) continue;
    const count = (own.get(before.key) ?? 0) + 1;
    own.set(before.key, count);
    if (count > concurrency) problems.push(`${words}, which was on its disk`);
  }
  return problems;
}

/** The number of requests that asked for what had been asked for in the same round. */
function repeatsOf(chaos: Chaos): number {
  const asked = chaos.service.workspaces.flatMap((workspace) => askedOf(chaos, workspace));
  return asked.length - new Set(asked.map(({ workspace, query }) => workspace + query)).size;
}

async function problemsOfTables({ lake, calm }: Chaos): Promise<string[]> {
  const excluded = readingColumns.map((name) => `'${name}'`).join(', ');
  const what = `distinct columns(c -> c not in (${excluded}))`;
  const tables = await dumpTables({ warehouse: lake }, what);
  const wanted = await dumpTables({ warehouse: join(calm, 'data/postledger.duckdb') }, what);
  return Object.keys(wanted)
    .filter((name) => !runTables.includes(name))
    .filter((name) => !isDeepStrictEqual(tables[name], wanted[name]))
    .map((name) => {
      const [only, missing] = [
        difference(tables[name], wanted[name]),
        difference(wanted[name], tables[name]),
      ];
      return `the table ${name} has ${only} and lacks ${missing}`;
    });
}

/** The first rows of the one that the other has not. */
function difference(one: unknown, other: unknown): string {
  const rows = (some: unknown) =>
    Array.isArray(some) ? some.map((row) => inspect(row, { breakLength: Infinity })) : [];
  const others = new Set(rows(other));
  return rows(one)
    .filter((row) => !others.has(row))
    .slice(0, 2)
    .join(' and ');
}

/** Whichever machine has made a report, its files are those of the calm machine. */
async function problemsOfReports({ rounds, machines, calm }: Chaos): Promise<string[]> {
  const problems: string[] = [];
  for (const job of rounds) {
    const wanted = await filesIn(join(calm, 'out', job));
    const made = await Promise.all(machines.map(({ folder }) => filesIn(join(folder, 'out', job))));
    for (const [name, text] of wanted) {
      const texts = made.flatMap((files) => files.get(name) ?? []);
      if (texts.length === 0) problems.push(`${job}: no machine has made ${name}`);
      if (texts.some((other) => other !== text)) problems.push(`${job}: ${name} differs`);
    }
  }
  return problems;
}

async function filesIn(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const texts = names
    .filter((name) => /^[^.].*\.csv$/.test(name))
    .map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
  return new Map(await Promise.all(texts));
}

/** A row for each kind of fault, and figures of the whole. */
export function figuresOf(chaos: Chaos) {
  const rows = faultKinds.map((kind) => {
    const faults = chaos.faults.filter((fault) => fault.kind === kind);
    const lasted = faults.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    return {
      fault: kind,
      count: faults.length,
      seconds: Math.round(lasted / 1000),
    };
  });
  const requests = chaos.service.asked.filter(({ key }) => key !== 'calm').length;
  return { rows, rounds: chaos.rounds.length, requests, repeated: repeatsOf(chaos) };
}
