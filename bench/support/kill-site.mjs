import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { alikeFile } from './alike.mjs';
import { DataFolder } from './data-folder.mjs';
import { Postledger } from './postledger.mjs';
import { dumpAlike, exists, withWarehouse } from './warehouse-file.mjs';

/** Tables of the program's own runs and files, which kills do change. */
const ofRuns = ['runs', 'run_parts', 'schema_files'];

/** One folder with jobs.yaml, and what became of it. */
export class KillSite {
  /** @param environment keys and tokens */
  constructor(folder, environment) {
    this.folder = folder;
    this.postledger = new Postledger(folder, environment);
    this.disk = new DataFolder(join(folder, 'data'));
  }

  get warehouse() {
    return join(this.folder, 'data/postledger.duckdb');
  }

  /** How many runs have begun and not ended: the next one carries on with what they have read. */
  async openRuns() {
    return (await namesIn(join(this.folder, 'data/locks/runs/daily'))).length;
  }

  /** The day's readings and all derived tables, without what tells runs apart and times within a minute. */
  async tables(noon) {
    return withWarehouse(this.warehouse, (query) => dumpAlike(query, { noon, leftOut: ofRuns }));
  }

  /** Texts by file name; of workbooks their cells. */
  async reports() {
    const out = join(this.folder, 'out');
    const reports = new Map();
    // a kill leaves a folder in which reports were being written
    const names = (await namesIn(out)).filter((name) => !name.includes('.postledger-'));
    for (const name of names.sort()) {
      const path = join(out, name);
      if (/\.\w+$/.test(name)) reports.set(name, await alikeFile(name, await readFile(path)));
    }
    return reports;
  }

  /** Outbox entries, waiting or done. */
  async deliveries() {
    const { stdout } = await this.postledger.run(['deliver', 'list', '--all', '--json'], {
      allowed: [0, 3],
    });
    return JSON.parse(stdout);
  }

  /** What the newest run was doing when it was killed. */
  async phase(entriesBefore) {
    if ((await this.countEntries()) > entriesBefore) return 'sending';
    const newest = [...this.disk.parts.keys()]
      .map((key) => key.split(' ')[1])
      .sort()
      .at(-1);
    const parts = [...this.disk.parts.values()].filter(({ record }) => record.run_id === newest);
    if (parts.some(({ finish }) => finish === null)) return 'reading';
    const loaded = await withWarehouse(this.warehouse, (query) =>
      query(`select 1 from runs where run_id = '${newest}' and finished_at is not null`),
    );
    return loaded?.length === 1 ? 'rendering' : 'loading';
  }

  async countEntries() {
    const rooms = ['waiting', 'done'].map((room) =>
      namesIn(join(this.folder, 'data/outbox', room), false),
    );
    return (await Promise.all(rooms)).flat().length;
  }
}

async function namesIn(folder, recursive = true) {
  if (!(await exists(folder))) return [];
  return readdir(folder, { recursive });
}
