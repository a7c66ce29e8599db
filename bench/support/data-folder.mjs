import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventKey } from '../../build/store/event-store.js';

/**
 * What the raw store of a data folder holds, read by its documented layout alone, again and again as it grows:
 * what was there once has to be there ever after.
 */
export class DataFolder {
  #raw;
  /** Manifest and body of every stored response, by `<workspace> <run> <seq>`. */
  responses = new Map();
  /** Of every run folder, by `<workspace> <run>`: its run.json and finish.json. */
  parts = new Map();
  /** Bodies, by key. */
  events = new Map();

  constructor(folder) {
    this.#raw = join(folder, 'raw');
  }

  /** @returns what is wrong now, a sentence each */
  async look() {
    const problems = [];
    const paths = await this.#list();
    for (const path of paths) {
      if (path.startsWith('_events/')) await this.#lookAtEvent(path, problems);
      else if (basename(path) === 'run.json') await this.#lookAtPart(path, paths, problems);
      else if (path.endsWith('.manifest.json')) await this.#lookAtResponse(path, problems);
    }
    const there = new Set(paths);
    for (const [key, { files }] of this.responses)
      for (const file of files.filter((each) => !there.has(each)))
        problems.push(`${file} of the stored response ${key} is lost`);
    for (const key of this.events.keys())
      if (!there.has(eventFile(key))) problems.push(`the stored event ${key} is lost`);
    return problems;
  }

  /** Relative paths, sorted; without files that are half written. */
  async #list() {
    const entries = await readdir(this.#raw, { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
      .map((entry) => relative(this.#raw, join(entry.parentPath, entry.name)))
      .sort();
  }

  async #lookAtPart(path, paths, problems) {
    const record = await this.#json(path, problems);
    if (!record) return;
    const folder = dirname(path);
    const finishPath = join(folder, 'finish.json');
    const finish = paths.includes(finishPath) ? await this.#json(finishPath, problems) : null;
    this.parts.set(`${record.workspace} ${record.run_id}`, { record, finish });
    if (folder !== join(record.workspace, record.started_at.slice(0, 10), record.run_id))
      problems.push(`${folder} is not where its run.json belongs`);
  }

  async #lookAtResponse(path, problems) {
    const [workspace, , run] = path.split('/');
    const partKey = `${workspace} ${run}`;
    const key = `${partKey} ${Number.parseInt(basename(path), 10)}`;
    if (this.responses.has(key)) return;
    const manifest = await this.#json(path, problems);
    if (!manifest) return;
    const bodyPath = manifest.body && join(dirname(path), manifest.body.file);
    const body = bodyPath ? await this.#body(bodyPath, manifest.body, problems) : null;
    const files = [path, ...(bodyPath ? [bodyPath] : [])];
    this.responses.set(key, { manifest, body, partKey, files });
  }

  async #body(path, { sha256, bytes }, problems) {
    try {
      const data = await readFile(join(this.#raw, path));
      const text = gunzipSync(data);
      if (createHash('sha256').update(data).digest('hex') === sha256 && text.length === bytes)
        return text.toString('utf8');
      problems.push(`${path} is not the body of its manifest`);
    } catch (error) {
      problems.push(`${path} is unreadable: ${error.message}`);
    }
    return null;
  }

  async #lookAtEvent(path, problems) {
    const key = basename(path, '.json');
    if (this.events.has(key)) return;
    const event = await this.#json(path, problems);
    if (!event) return;
    if (event.event_key !== key || eventKey(event.body) !== key || path !== eventFile(key))
      problems.push(`${path} holds another event`);
    this.events.set(key, event.body);
  }

  async #json(path, problems) {
    try {
      return JSON.parse(await readFile(join(this.#raw, path), 'utf8'));
    } catch (error) {
      problems.push(`${path} is unreadable: ${error.message}`);
      return null;
    }
  }
}

function eventFile(key) {
  return join('_events', key.slice(0, 2), `${key}.json`);
}
