import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Config } from '../config/config.ts';
import { eventsFolder, listEventKeys, readEvent } from '../store/event-store.ts';
import { rawFolder } from '../store/layout.ts';
import { listRunNames, readBodyFile, readRunFolder, type RunFolder } from '../store/run-folder.ts';
import { DamagedFileError } from '../store/stored-file.ts';
import type { Database } from '../warehouse/database.ts';
import { openIfPresent, warehouseOf } from '../warehouse/warehouse.ts';
import { readSql } from '../warehouse/sql-file.ts';
import { WarehouseFileError } from '../warehouse/warehouse-errors.ts';
import { withArchive } from '../load/raw-bucket.ts';

/** `damaged`: not what was written; `missing`: loaded once, and gone; `foreign`: not written by this program. */
interface Finding {
  readonly kind: 'damaged' | 'missing' | 'foreign';
  readonly path: string;
  /** The problem and its remedy. */
  readonly problem: string;
}

export type Verification = Awaited<ReturnType<typeof verifyRawStore>>;

const runFile = /^(run|finish|\d{6,}\.(manifest|check))\.json$|^\d{6,}\.json\.gz$/;

/** What is loaded and must be in the raw store: the responses, as `<workspace>/<run_id>/<seq>`, and the keys of events. */
interface Loaded {
  readonly responses: readonly string[];
  readonly events: readonly string[];
}

/**
 * Checks every file of the raw store: its hash against its manifest, and what the warehouse loaded against what
 * is there. Changes nothing.
 */
export async function verifyRawStore(config: Config) {
  const { dataDir } = config;
  const findings: Finding[] = [];
  // the warehouse is read first, so that what is stored and loaded meanwhile is in neither list
  const loaded = await readLoaded(config, findings);
  const stored = new Set<string>();
  let runs = 0;
  for await (const name of listRunNames(dataDir)) {
    const folder = await readRunFolder(dataDir, name);
    if (folder === null) continue;
    runs += 1;
    findings.push(...folder.damages.map(damageFinding), ...(await findForeign(folder)));
    for (const response of folder.responses) {
      stored.add(`${name.workspace}/${name.runId}/${response.manifest.seq}`);
      await readBodyFile(response).catch((error: unknown) => noteDamage(error, findings));
    }
  }
  const events = new Set(await listEventKeys(dataDir));
  for (const key of events)
    await readEvent(dataDir, key).catch((error: unknown) => noteDamage(error, findings));
  const missing = await findMissing(config, {
    responses: loaded.responses.filter((key) => !stored.has(key)),
    events: loaded.events.filter((key) => !events.has(key)),
  });
  findings.push(
    ...missing.responses.map((key) =>
      missingFinding(join(rawFolder(dataDir), key), 'response', config),
    ),
    ...missing.events.map((key) =>
      missingFinding(join(eventsFolder(dataDir), key), 'event', config),
    ),
  );
  return { runs, responses: stored.size, events: events.size, findings };
}

/** Leaves out what is not on this machine but in the bucket that machines share. */
async function findMissing(config: Config, absent: Loaded): Promise<Loaded> {
  if (absent.responses.length + absent.events.length === 0) return absent;
  return withArchive({ config }, async (archive) => {
    if (archive === null) return absent;
    const names = await archive.listRuns();
    const runs = new Set(names.map(({ workspace, runId }) => `${workspace}/${runId}`));
    const events = await archive.listEvents(null);
    return {
      responses: absent.responses.filter((key) => !runs.has(key.replace(/\/\d+$/, ''))),
      events: absent.events.filter((key) => !events.has(key)),
    };
  });
}

/** A warehouse that cannot be read is a finding of its own: the raw store is what can repair it. */
async function readLoaded({ warehouse }: Config, findings: Finding[]): Promise<Loaded> {
  let database: Database | null = null;
  try {
    database = await openIfPresent(warehouse);
    const read = async (name: string) => {
      const result = await database?.query(await readSql(`status/${name}.sql`));
      return result?.rows.map(([key]) => String(key)) ?? [];
    };
    return { responses: await read('loaded_responses'), events: await read('loaded_events') };
  } catch (error) {
    if (!(error instanceof WarehouseFileError)) throw error;
    const path = warehouseOf(warehouse).location;
    findings.push({ kind: 'damaged', path, problem: error.message });
    return { responses: [], events: [] };
  } finally {
    database?.close();
  }
}

function noteDamage(error: unknown, findings: Finding[]): void {
  if (!(error instanceof DamagedFileError)) throw error;
  findings.push(damageFinding(error));
}

function damageFinding({ path, message }: DamagedFileError): Finding {
  return { kind: 'damaged', path, problem: message };
}

/** Finds files that this program does not write. Its unfinished files have temporary names and are ignored. */
async function findForeign({ path }: RunFolder): Promise<Finding[]> {
  const names = (await readdir(path)).filter(
    (name) => !runFile.test(name) && !name.endsWith('.tmp'),
  );
  return names.map((name) => ({
    kind: 'foreign',
    path: join(path, name),
    problem: `${join(path, name)} is no file of this program; nothing reads it, remove it`,
  }));
}

function missingFinding(path: string, what: string, { dataDir }: Config): Finding {
  const name = relative(dataDir, path);
  return {
    kind: 'missing',
    path,
    problem: `${name}: this ${what} was loaded, and is no longer in the raw store; restore it from a backup, a rebuild would lose it`,
  };
}
