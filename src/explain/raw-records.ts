import { relative } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { fieldOf } from '../core/json.ts';
import { cleanRecord } from '../api/analytics-record.ts';
import type { Source } from './cell-explanation.ts';
import { rawFolder } from '../store/layout.ts';
import { listRunNames, readBodyFile, readRunFolder, type RunFolder } from '../store/run-folder.ts';
import { DamagedFileError } from '../store/stored-file.ts';

const decompress = promisify(gunzip);

/** A record of an analytics response by the load's numbers. */
export type LoadedRecord = Pick<
  Source,
  'workspace' | 'linkedin_post_id' | 'run_id' | 'seq' | 'place' | 'fetched_at'
>;

/** Where the raw store has a record; both are null if this machine's raw store does not have it. */
export interface Located extends LoadedRecord {
  /** The body, gzipped JSON, relative to the raw store. */
  readonly file: string | null;
  /** The index of the record in the body's array. */
  readonly record: number | null;
}

/** Finds records in the raw store. It reads each run folder and each body once. */
export class RawRecords {
  readonly #dataDir: string;
  readonly #runs = new Map<string, Promise<RunFolder | null>>();
  readonly #bodies = new Map<string, Promise<Body | null>>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  locate<Record extends LoadedRecord>(records: readonly Record[]): Promise<(Record & Located)[]> {
    return Promise.all(
      records.map(async (record) => ({ ...record, ...(await this.#find(record)) })),
    );
  }

  async #find(record: LoadedRecord): Promise<Pick<Located, 'file' | 'record'>> {
    const key = `${record.workspace}/${record.run_id}/${record.seq}`;
    const reading = this.#bodies.get(key) ?? this.#read(record);
    this.#bodies.set(key, reading);
    const body = await reading;
    const index = body?.loaded[record.place];
    if (
      !body ||
      index === undefined ||
      fieldOf(body.records[index], 'id') !== record.linkedin_post_id
    )
      return { file: null, record: null };
    return { file: body.file, record: index };
  }

  async #read({ workspace, run_id, seq }: LoadedRecord): Promise<Body | null> {
    const key = `${workspace}/${run_id}`;
    const reading = this.#runs.get(key) ?? this.#open(workspace, run_id);
    this.#runs.set(key, reading);
    const run = await reading;
    const response = run?.responses.find(({ manifest }) => manifest.seq === seq);
    if (!run || !response?.bodyPath) return null;
    try {
      const text = (await decompress(await readBodyFile(response))).toString('utf8');
      const records = JSON.parse(text) as unknown[];
      const { linked_post_field: field } = run.record;
      // `place` does not count the records that could not be loaded
      const loaded = [...records.keys()].filter(
        (at) => 'record' in cleanRecord(records[at], field),
      );
      return { file: relative(rawFolder(this.#dataDir), response.bodyPath), records, loaded };
    } catch (error) {
      if (error instanceof DamagedFileError) return null;
      throw error;
    }
  }

  async #open(workspace: string, runId: string): Promise<RunFolder | null> {
    for await (const name of listRunNames(this.#dataDir, [workspace]))
      if (name.runId === runId) return readRunFolder(this.#dataDir, name);
    return null;
  }
}

interface Body {
  readonly file: string;
  readonly records: readonly unknown[];
  /** The indexes of the records that could be loaded. */
  readonly loaded: readonly number[];
}
